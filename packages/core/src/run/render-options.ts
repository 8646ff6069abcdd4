import type { Json, JsonObject } from "../contracts/json.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import type { CompiledStage } from "../program/program.ts";
import { markerOf, propertiesOf } from "../spec/document/schema-parts.ts";
import type { Template } from "../spec/text/template.ts";
import { renderIn } from "./compute.ts";
import type { Frame } from "./run-scope.ts";

/** Options with their templates rendered over the state; a template that is one path keeps the type of its value. */
export function renderOptions(
  frame: Frame,
  options: JsonObject,
  templates: ReadonlyMap<string, Template>,
): JsonObject {
  if (templates.size === 0) return options;
  let result: Json = options;
  for (const [pointer, template] of templates) {
    result = replaceAt(result, pointer.split("/").slice(1), renderIn(frame, template));
  }
  return result as JsonObject;
}

/** The templates of a stage that are rendered when it starts. */
export function earlyTemplates(stage: CompiledStage): ReadonlyMap<string, Template> {
  const { templates } = stage;
  if (templates.size === 0) return templates;
  const known = early.get(stage);
  if (known !== undefined) return known;
  const late = new Set(lateOptions(stage).map((option) => `/${option}`));
  const own = new Map([...templates].filter(([pointer]) => !late.has(pointer)));
  early.set(stage, own);
  return own;
}

const early = new WeakMap<CompiledStage, ReadonlyMap<string, Template>>();

/** The value of one late option, its template rendered over the state and further names. */
export function renderOption(frame: Frame, option: string, bind: JsonObject): Json {
  const { stage } = frame;
  if (stage === undefined || !lateOptions(stage).includes(option))
    throw new InternalError("contract-broken", `\`${option}\` is no late option of the stage`);
  const template = stage.templates.get(`/${option}`);
  if (template === undefined) return stage.options[option] ?? null;
  return renderIn(frame, template, bind);
}

function lateOptions({ definition }: CompiledStage): readonly string[] {
  const options = [...propertiesOf(definition.options)];
  return options.flatMap(([name, schema]) => {
    const marker = markerOf(schema);
    return marker?.kind === "template" && marker.late === true ? [name] : [];
  });
}

function replaceAt(value: Json, keys: readonly string[], next: Json): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      String(index) === key ? replaceAt(item, rest, next) : item,
    );
  if (typeof value !== "object" || value === null) return value;
  const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
  const object = value as JsonObject;
  const inner = object[name];
  return inner === undefined ? value : { ...object, [name]: replaceAt(inner, rest, next) };
}
