import type { JsonObject, ToolCall } from "@loopwright/core/plugin";
import { VendorFields } from "./vendor-fields.ts";
import type { WireCall } from "./wire.ts";

/** A tool call being put together. */
interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  readonly extras: VendorFields;
}

/** A tool call as it came, with the vendor's own fields. */
export interface AssembledCall extends ToolCall {
  readonly extras: JsonObject | undefined;
}

/**
 * Puts tool calls together from the fragments of a stream.
 *
 * Servers leave out or reuse indexes and ids, so a fragment finds its call by id, then by index, then by being next.
 */
export class ToolCallParts {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();

  add(part: WireCall): void {
    const name = part.function?.name ?? "";
    const text = toArgumentsText(part.function?.arguments);
    const call = this.#find(part, name, text) ?? this.#open(part);
    if (call.id === "" && typeof part.id === "string") call.id = part.id;
    // Some servers repeat the name in every fragment.
    if (name !== "" && call.arguments === "") call.name = name;
    if (call.name === "") call.name = name;
    call.arguments += text;
    call.extras.add(part);
  }

  /** The calls in the order in which they began, with the ids that came. */
  get calls(): readonly AssembledCall[] {
    return this.#calls.map((call) => ({ ...call, extras: call.extras.fields }));
  }

  #open(part: WireCall): OpenCall {
    const id = part.id ?? "";
    const isTaken = this.#calls.some((call) => call.id === id);
    const call: OpenCall = {
      id: isTaken ? "" : id,
      name: "",
      arguments: "",
      extras: new VendorFields("call"),
    };
    this.#calls.push(call);
    if (typeof part.index === "number") this.#byIndex.set(part.index, call);
    return call;
  }

  #find(part: WireCall, name: string, text: string): OpenCall | undefined {
    const id = part.id ?? "";
    const atIndex = typeof part.index === "number" ? this.#byIndex.get(part.index) : undefined;
    if (id !== "") {
      const sameId = this.#calls.findLast((call) => call.id === id);
      const isMoved = atIndex !== sameId && typeof part.index === "number";
      if (sameId !== undefined) return isNext(sameId, name, isMoved) ? undefined : sameId;
      if (atIndex === undefined) return name === "" ? this.#lastIncomplete() : undefined;
      if (atIndex.id === "") return isNext(atIndex, name, false) ? undefined : atIndex;
      // Some servers make an id for every fragment; a call of its own brings a name.
      return name === "" && !isComplete(atIndex.arguments) ? atIndex : undefined;
    }
    if (atIndex !== undefined) return isNext(atIndex, name, false) ? undefined : atIndex;
    const last = this.#calls.at(-1);
    if (name === "" || last === undefined) return last;
    if (typeof part.index === "number") return undefined;
    return isNext(last, name, text !== "") ? undefined : last;
  }

  #lastIncomplete(): OpenCall | undefined {
    const last = this.#calls.at(-1);
    return last !== undefined && !isComplete(last.arguments) ? last : undefined;
  }
}

/** Gives every call an id of its own and readable arguments where none came; calls without a name are left out. `idPrefix` and a number stand in for missing ids. */
export function finishCalls(
  calls: readonly (Omit<ToolCall, "id"> & Partial<AssembledCall>)[],
  idPrefix: string,
): readonly AssembledCall[] {
  const ids = new Set<string>();
  return calls
    .filter((call) => call.name !== "")
    .map(({ id: given = "", name, arguments: text, extras }, index) => {
      const id = given === "" || ids.has(given) ? `${idPrefix}${index}` : given;
      ids.add(id);
      return { id, name, arguments: text === "" ? "{}" : unglue(text), extras };
    });
}

/** The text of arguments that a server sent as text, as an object, or not at all. */
function toArgumentsText(given: unknown): string {
  if (typeof given === "string") return given;
  return given === null || given === undefined ? "" : JSON.stringify(given);
}

/** Tells whether a named fragment begins a call after this one. */
function isNext(call: OpenCall, name: string, evenOfSameName: boolean): boolean {
  if (name === "" || call.name === "") return false;
  if (name === call.name && !evenOfSameName) return false;
  return isComplete(call.arguments);
}

function isComplete(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Arguments that came more than once, each time the same, count once; different ones are left as they came. */
function unglue(text: string): string {
  const pieces = objectsIn(text);
  const [first, second] = pieces;
  if (first === undefined || second === undefined) return text;
  return pieces.every((piece) => piece === first) && isComplete(first) ? first : text;
}

/** The objects that a text is made of, where it holds nothing else but blanks between them; else none. */
function objectsIn(text: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isInString) {
      if (character === "\\") at += 1;
      else if (character === '"') isInString = false;
    } else if (character === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (depth === 0) {
      if (character.trim() !== "") return [];
    } else if (character === '"') {
      isInString = true;
    } else if (character === "}") {
      depth -= 1;
      if (depth === 0) pieces.push(text.slice(start, at + 1));
    }
  }
  return depth === 0 ? pieces : [];
}
