import type { ToolCall } from "@loopwright/core/plugin";
import type { WireCall } from "./wire.ts";

/** A tool call being put together. */
interface OpenCall {
  id: string;
  name: string;
  arguments: string;
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
  }

  /** The calls in the order in which they began; `idPrefix` and a number stand in for missing ids. */
  finish(idPrefix: string): readonly ToolCall[] {
    return finishCalls(this.#calls, idPrefix);
  }

  #open(part: WireCall): OpenCall {
    const id = part.id ?? "";
    const isTaken = this.#calls.some((call) => call.id === id);
    const call: OpenCall = { id: isTaken ? "" : id, name: "", arguments: "" };
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

/** Gives every call an id of its own and readable arguments where none came; calls without a name are left out. */
export function finishCalls(calls: readonly OpenCall[], idPrefix: string): readonly ToolCall[] {
  const ids = new Set<string>();
  return calls
    .filter((call) => call.name !== "")
    .map((call, index) => {
      const id = call.id === "" || ids.has(call.id) ? `${idPrefix}${index}` : call.id;
      ids.add(id);
      return {
        id,
        name: call.name,
        arguments: call.arguments === "" ? "{}" : unglue(call.arguments),
      };
    });
}

/** The text of arguments that a server sent as text, as an object, or not at all. */
export function toArgumentsText(given: unknown): string {
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

/** Arguments that came twice, exactly, count once. */
function unglue(text: string): string {
  const half = text.slice(0, text.length / 2);
  return text.length % 2 === 0 && half + half === text && isComplete(half) ? half : text;
}
