import type { EventData } from "../contracts/event.ts";
import type { ListedTool, ToolSet } from "../contracts/tool.ts";
import { AbortError, messageOf, ToolError } from "../errors/loopwright-error.ts";
import type { LinkedProgram } from "../run/linked-program.ts";
import { untilAborted } from "../calls/until-aborted.ts";
import { wireNames } from "../program/wire-names.ts";
import type { ToolEntry } from "../program/program.ts";
import { cleanText } from "./clean-text.ts";
import { type ListedEntry, readListed } from "./listed-entry.ts";
import { withinTime } from "./within-time.ts";

/** How long a set may take to list its tools; asked again once where that fails. */
const listTimeoutMs = 120_000;
const maxTools = 1_000;
const maxFaultChars = 2_000;

/** The stage that asks. */
export interface Asker {
  readonly linked: LinkedProgram;
  readonly signal: AbortSignal;
  readonly tell: <N extends ListingFact>(name: N, data: EventData[N]) => void;
}

/** What is told of listings. */
type ListingFact = "tools.listed" | "tools.unlisted" | "tools.noted" | "tool.dropped";

/** A listing that is asked for, and how many stages wait for it. */
interface Asked {
  readonly tools: Promise<readonly ListedEntry[]>;
  readonly aborter: AbortController;
  waiting: number;
}

/** What the sets of tools list in one run: each is asked once, when the first stage that may call it starts. */
export class ToolListings {
  readonly #asked = new Map<ToolEntry, Asked>();
  readonly #listed = new Map<ToolEntry, readonly ListedEntry[]>();
  readonly #wireNames = new Map<LinkedProgram, Set<string>>();

  /** What a set has listed; empty before it was asked. */
  of(set: ToolEntry): readonly ListedEntry[] {
    return this.#listed.get(set) ?? [];
  }

  /** Asks a set for its tools, unless that is done or under way; throws where it can't say them. */
  async list(asker: Asker, set: ToolEntry): Promise<void> {
    if (this.#listed.has(set)) return;
    const asked = this.#asked.get(set) ?? this.#ask(asker, set);
    asked.waiting += 1;
    try {
      await untilAborted(() => asked.tools, asker.signal);
    } finally {
      asked.waiting -= 1;
      // Nobody is left who wants it.
      if (asked.waiting === 0) asked.aborter.abort(new AbortError("no stage waits for the list"));
    }
  }

  #ask(asker: Asker, set: ToolEntry): Asked {
    const aborter = new AbortController();
    const tools = this.#askTwice(asker, set, aborter.signal);
    const forget = (): void => {
      this.#asked.delete(set);
    };
    tools.then(forget, forget);
    const asked: Asked = { tools, aborter, waiting: 0 };
    this.#asked.set(set, asked);
    return asked;
  }

  async #askTwice(
    asker: Asker,
    set: ToolEntry,
    signal: AbortSignal,
  ): Promise<readonly ListedEntry[]> {
    const source = asker.linked.instances.toolSet(set);
    const note = (message: string): void =>
      asker.tell("tools.noted", { set: set.name, message: this.#cleaned(asker, message) });
    try {
      return await this.#keep(asker, set, await ask(asker, source, note, signal), signal);
    } catch (first) {
      signal.throwIfAborted();
      const message = this.#told(asker, first);
      asker.tell("tools.unlisted", { set: set.name, message });
      try {
        return await this.#keep(asker, set, await ask(asker, source, note, signal), signal);
      } catch (second) {
        signal.throwIfAborted();
        throw this.#failed(asker, set, second);
      }
    }
  }

  /** Reads what was listed, and drops what can't be used; throws where nothing is left. */
  async #keep(
    asker: Asker,
    set: ToolEntry,
    listed: readonly ListedTool[],
    signal: AbortSignal,
  ): Promise<readonly ListedEntry[]> {
    const { program } = asker.linked;
    const kept = new Map<string, Omit<ListedEntry, "wireName">>();
    const dropped: { readonly tool: string; readonly reason: string }[] = [];
    for (const [index, tool] of listed.entries()) {
      const drop = (reason: string): void => {
        dropped.push({ tool: nameOf(tool), reason });
      };
      if (index >= maxTools) {
        drop(`only the first ${maxTools} tools of a list are read`);
        continue;
      }
      // To compile a schema takes long: everything else goes on between two of them.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      const read = readListed(set, tool);
      if (!read.ok) drop(read.reason);
      else if (kept.has(read.entry.name) || program.tools.has(read.entry.name))
        drop("there is another tool of this name");
      else kept.set(read.entry.name, read.entry);
    }
    for (const { tool, reason } of dropped.slice(0, 100))
      asker.tell("tool.dropped", { set: set.name, tool, reason });
    if (kept.size === 0) throw nothingLeft(dropped);
    const entries = this.#named(asker.linked, [...kept.values()]);
    this.#listed.set(set, entries);
    const tools = entries.map(({ name, policy, suspect }) => ({
      name,
      effect: policy.effect,
      ...(suspect.length === 0 ? {} : { suspect }),
    }));
    asker.tell("tools.listed", { set: set.name, tools, dropped: dropped.length });
    const message = uncheckedText(entries);
    if (message !== undefined) asker.tell("tools.noted", { set: set.name, message });
    return entries;
  }

  /** Gives each tool a name on the wire that no other tool of the program has. */
  #named(
    linked: LinkedProgram,
    entries: readonly Omit<ListedEntry, "wireName">[],
  ): readonly ListedEntry[] {
    const ofProgram = [...linked.program.tools.values()].map(({ wireName }) => wireName);
    const taken = this.#wireNames.get(linked) ?? new Set(ofProgram);
    this.#wireNames.set(linked, taken);
    const names = wireNames(
      entries.map(({ name }) => name),
      taken,
    );
    return entries.map((entry, index) => ({ ...entry, wireName: names[index] ?? entry.name }));
  }

  #failed(asker: Asker, set: ToolEntry, fault: unknown): ToolError {
    return new ToolError(
      "tools-unlisted",
      `the tools of \`${set.name}\` (${set.definition.id}) can't be listed: ${this.#told(asker, fault)}`,
      { details: { set: set.name }, cause: fault },
    );
  }

  #told(asker: Asker, fault: unknown): string {
    return this.#cleaned(asker, messageOf(fault));
  }

  #cleaned({ linked }: Asker, text: string): string {
    return cleanText(linked.redactor.text(text), maxFaultChars);
  }
}

async function ask(
  { linked: { clock } }: Asker,
  source: ToolSet,
  note: (message: string) => void,
  outer: AbortSignal,
): Promise<readonly ListedTool[]> {
  const listed = await withinTime((signalOf) => source.list(signalOf(), note), {
    outer,
    startTimer: (onTimeout) => clock.after(listTimeoutMs, onTimeout),
    timeout: () =>
      new ToolError("tool-timeout", `no list came within ${listTimeoutMs / 1_000} seconds`),
  });
  if (!Array.isArray(listed)) throw new ToolError("tool-failed", "the plugin returned no list");
  return listed as readonly ListedTool[];
}

function nameOf(listed: unknown): string {
  const { name } = (listed ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? cleanText(name, 128) : "a tool without a name";
}

/** What is told of patterns that texts are not matched with. */
function uncheckedText(entries: readonly ListedEntry[]): string | undefined {
  const all = entries.flatMap(({ name, unchecked }) =>
    unchecked.map((pattern) => ({ name, pattern: cleanText(pattern, 100) })),
  );
  const [first] = all;
  if (first === undefined) return undefined;
  const rest = all.length === 1 ? "" : `, and ${all.length - 1} more`;
  return `a pattern that could take unbounded time is not checked: \`${first.pattern}\` of ${first.name}${rest}`;
}

function nothingLeft(
  dropped: readonly { readonly tool: string; readonly reason: string }[],
): ToolError {
  const [first] = dropped;
  const message =
    first === undefined
      ? "the list is empty; look at the options of the entry and at what its source offers"
      : `none of the ${dropped.length} listed can be used; the first, ${first.tool}: ${first.reason}`;
  return new ToolError("tool-failed", message);
}
