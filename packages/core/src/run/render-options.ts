import type { Json, JsonObject } from "../contracts/json.ts";
import { renderTemplate, type Template } from "../spec/text/template.ts";
import type { Frame } from "./run-scope.ts";
import { stateView } from "./state-view.ts";

/** Options with their templates rendered over the state; a template that is one path keeps the type of its value. */
export function renderOptions(
  frame: Frame,
  options: JsonObject,
  templates: ReadonlyMap<string, Template>,
): JsonObject {
  if (templates.size === 0) return options;
  const view = stateView(frame.state);
  let result: Json = options;
  for (const [pointer, template] of templates) {
    result = replaceAt(result, pointer.split("/").slice(1), renderTemplate(template, view));
  }
  return result as JsonObject;
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
