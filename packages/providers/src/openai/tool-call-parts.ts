import type { JsonObject, ToolCall } from "@loopwright/core/plugin";
import { GrowingObject } from "./growing-object.ts";
import { VendorFields } from "./vendor-fields.ts";
import type { WireCall } from "./wire.ts";

/** A tool call being put together. */
interface OpenCall {
  id: string;
  name: string;
  readonly arguments: GrowingObject;
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
  /** The last call of each id. */
  readonly #byId = new Map<string, OpenCall>();

  add(part: WireCall): void {
    const id = idOf(part);
    const given = part.function?.name;
    const name = typeof given === "string" ? given : "";
    const text = toArgumentsText(part.function?.arguments);
    const call = this.#find(part, id, name, text) ?? this.#open(part);
    if (call.id === "" && id !== "") {
      call.id = id;
      this.#byId.set(id, call);
    }
    // Some servers repeat the name in every fragment.
    if (name !== "" && call.arguments.text === "") call.name = name;
    if (call.name === "") call.name = name;
    call.arguments.add(text);
    call.extras.add(part);
  }

  /** The calls in the order in which they began, with the ids that came. */
  get calls(): readonly AssembledCall[] {
    return this.#calls.map((call) => ({
      ...call,
      arguments: call.arguments.text,
      extras: call.extras.fields,
    }));
  }

  #open(part: WireCall): OpenCall {
    const call: OpenCall = {
      id: "",
      name: "",
      arguments: new GrowingObject(),
      extras: new VendorFields("call"),
    };
    this.#calls.push(call);
    if (typeof part.index === "number") this.#byIndex.set(part.index, call);
    return call;
  }

  #find(part: WireCall, id: string, name: string, text: string): OpenCall | undefined {
    const atIndex = typeof part.index === "number" ? this.#byIndex.get(part.index) : undefined;
    if (id !== "") {
      const sameId = this.#byId.get(id);
      const isMoved = atIndex !== sameId && typeof part.index === "number";
      if (sameId !== undefined) return isNext(sameId, name, isMoved) ? undefined : sameId;
      if (atIndex === undefined) return name === "" ? this.#lastIncomplete() : undefined;
      if (atIndex.id === "") return isNext(atIndex, name, false) ? undefined : atIndex;
      // Some servers make an id for every fragment; a call of its own brings a name.
      return name === "" && !atIndex.arguments.isComplete ? atIndex : undefined;
    }
    if (atIndex !== undefined) return isNext(atIndex, name, false) ? undefined : atIndex;
    const last = this.#calls.at(-1);
    if (name === "" || last === undefined) return last;
    if (typeof part.index === "number") return undefined;
    return isNext(last, name, text !== "") ? undefined : last;
  }

  #lastIncomplete(): OpenCall | undefined {
    const last = this.#calls.at(-1);
    return last !== undefined && !last.arguments.isComplete ? last : undefined;
  }
}

/** An id as it came, or a number in its place; anything else is none. */
function idOf({ id }: WireCall): string {
  return typeof id === "number" ? String(id) : typeof id === "string" ? id : "";
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
  return call.arguments.isComplete;
}

/** Arguments that came more than once, each time the same, count once; different ones are left as they came. */
function unglue(text: string): string {
  const whole = new GrowingObject();
  whole.add(text);
  const { objects } = whole;
  const [first, second] = objects;
  if (first === undefined || second === undefined) return text;
  return objects.every((piece) => piece === first) && isJson(first) ? first : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
