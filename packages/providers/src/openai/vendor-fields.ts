import type { Json, JsonObject } from "@loopwright/core/plugin";

/** Fields of the protocol, and what vendors add that means nothing in a conversation. */
const KNOWN = new Set([
  "role",
  "content",
  "refusal",
  "name",
  "tool_calls",
  "function_call",
  "reasoning",
  "reasoning_content",
  "annotations",
  "audio",
]);
const KNOWN_OF_CALL = new Set(["index", "id", "type", "function"]);
/** What grows from piece to piece inside the parts of a list. */
const GROWING = new Set(["text", "summary", "data"]);

/** A vendor's own fields, which go back as they came. */
export class VendorFields {
  readonly #known: ReadonlySet<string>;
  #fields: Record<string, Json> = {};

  constructor(of: "message" | "call") {
    this.#known = of === "message" ? KNOWN : KNOWN_OF_CALL;
  }

  /** Adds the fields of a message, of a call, or of a piece of one. */
  add(given: object): void {
    for (const [name, value] of Object.entries(given) as [string, Json | undefined][]) {
      if (this.#known.has(name) || value === undefined || value === null) continue;
      const before = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
      this.#fields = { ...this.#fields, [name]: joined(before, value) };
    }
  }

  get fields(): JsonObject | undefined {
    return Object.keys(this.#fields).length === 0 ? undefined : this.#fields;
  }
}

function joined(before: Json | undefined, value: Json): Json {
  if (typeof before === "string" && typeof value === "string") return before + value;
  if (Array.isArray(before) && Array.isArray(value)) return value.reduce(withPart, before);
  return value;
}

/** A list with one more part, which goes on the last one where it has the same type and index. */
function withPart(list: readonly Json[], part: Json): readonly Json[] {
  const last = list.at(-1);
  if (!isObject(last) || !isObject(part)) return [...list, part];
  const isNext = part["index"] === undefined || last["index"] !== part["index"];
  if (isNext || last["type"] !== part["type"]) return [...list, part];
  const whole: Record<string, Json> = { ...last };
  for (const [name, value] of Object.entries(part)) {
    const before = whole[name];
    if (GROWING.has(name) && typeof before === "string" && typeof value === "string")
      whole[name] = before + value;
    else if (value !== null) whole[name] = value;
  }
  return [...list.slice(0, -1), whole];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
