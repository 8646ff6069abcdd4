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
  /** Most replies have none; lists among them grow in place. */
  #fields: Map<string, Json> | undefined;

  constructor(of: "message" | "call") {
    this.#known = of === "message" ? KNOWN : KNOWN_OF_CALL;
  }

  /** Adds the fields of a message, of a call, or of a piece of one. */
  add(given: object): void {
    for (const [name, value] of Object.entries(given) as [string, Json | undefined][]) {
      if (this.#known.has(name) || value === undefined || value === null) continue;
      this.#fields ??= new Map();
      this.#fields.set(name, joined(this.#fields.get(name), value));
    }
  }

  get fields(): JsonObject | undefined {
    return this.#fields === undefined ? undefined : Object.fromEntries(this.#fields);
  }
}

/** A field with what came for it; its lists are our own from the first piece on. */
function joined(before: Json | undefined, value: Json): Json {
  if (typeof before === "string" && typeof value === "string") return before + value;
  if (!Array.isArray(value)) return value;
  if (!Array.isArray(before)) return [...(value as readonly Json[])];
  for (const part of value as readonly Json[]) addPart(before as Json[], part);
  return before as Json[];
}

/** Puts a part behind a list, or onto the last one where it has the same type and index. */
function addPart(list: Json[], part: Json): void {
  const last = list.at(-1);
  const isMore =
    isObject(last) &&
    isObject(part) &&
    part["index"] !== undefined &&
    last["index"] === part["index"] &&
    last["type"] === part["type"];
  if (!isMore) {
    list.push(part);
    return;
  }
  const whole: Record<string, Json> = { ...last };
  for (const [name, value] of Object.entries(part)) {
    const before = whole[name];
    if (GROWING.has(name) && typeof before === "string" && typeof value === "string")
      whole[name] = before + value;
    else if (value !== null) whole[name] = value;
  }
  list[list.length - 1] = whole;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
