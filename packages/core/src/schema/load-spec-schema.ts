import type { JsonSchema } from "../contracts/json.ts";
import type { PluginDefinition } from "../contracts/plugin-definition.ts";
import type { KeyCatalogue } from "./key-catalogue.ts";

/** What editors are told about specs. */
export interface SpecSchemaTools {
  /** The JSON Schema (2020-12) of specs that may use these plugins; what only `check` can know, it leaves open. */
  readonly specSchema: (definitions: readonly PluginDefinition[]) => JsonSchema;
  /** Opens the catalogue of a schema that `specSchema` made. */
  readonly openKeyCatalogue: (schema: JsonSchema) => KeyCatalogue;
}

/** Loads what makes the schema of specs and looks into it; a run needs none of it. */
export async function loadSpecSchema(): Promise<SpecSchemaTools> {
  const [{ specSchema }, { openKeyCatalogue }] = await Promise.all([
    import("./spec-schema.ts"),
    import("./key-catalogue.ts"),
  ]);
  return { specSchema, openKeyCatalogue };
}
