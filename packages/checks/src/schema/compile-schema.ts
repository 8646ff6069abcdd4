import { type JsonSchema, MARKER, messageOf } from "@loopwright/core/plugin";
import { Ajv, type ValidateFunction } from "ajv";

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** Compiles a JSON Schema once; returns why it can't be used as text. */
export function compileSchema(schema: JsonSchema): ValidateFunction | string {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  try {
    const made = engine().compile(schema);
    compiled.set(schema, made);
    return made;
  } catch (fault) {
    return messageOf(fault);
  }
}

/** One engine a schema, so that neither ids nor caches are shared; formats are notes for the model. */
function engine(): Ajv {
  const made = new Ajv({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allErrors: true,
    ownProperties: true,
    discriminator: true,
    validateFormats: false,
    logger: false,
  });
  made.addKeyword(MARKER);
  return made;
}
