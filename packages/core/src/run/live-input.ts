import type { Messages } from "./messages.ts";
import type { RecordedInput, SwitchChange } from "./recorded-input.ts";
import type { LiveSwitches } from "./switches.ts";
import type { RunBus } from "../events/run-bus.ts";
import type { Scope } from "../events/scope.ts";

/** What people do to a run while it works: it enters at the step boundaries of the stages, and is told there. */
export class LiveInput {
  readonly messages: Messages;
  readonly #switches: LiveSwitches;
  readonly #bus: RunBus;
  readonly #recorded: RecordedInput | undefined;
  /** Switches that are thrown at the next boundary. */
  #thrown: SwitchChange[] = [];
  #isOver = false;

  constructor(options: {
    readonly messages: Messages;
    readonly switches: LiveSwitches;
    readonly bus: RunBus;
    /** The run is given this, and nothing else. */
    readonly recorded?: RecordedInput;
  }) {
    this.messages = options.messages;
    this.#switches = options.switches;
    this.#bus = options.bus;
    this.#recorded = options.recorded;
  }

  /** Takes a message; false where it can't enter any more. */
  send(message: unknown): boolean {
    const text = textOf(message).trim();
    if (this.#isClosed || text === "") return false;
    this.messages.send(text);
    return true;
  }

  /** Throws a switch at the next boundary; false for one that the spec does not have, and after the end. */
  setSwitch(name: string, isOn: boolean): boolean {
    if (this.#isClosed || typeof isOn !== "boolean" || !this.#switches.has(name)) return false;
    this.#thrown.push({ name, isOn });
    return true;
  }

  /** Throws the switches that are on from the start. */
  start(names: readonly string[], scope: Scope): void {
    const own = names.map((name) => ({ name, isOn: true }));
    this.#throw([...(this.#recorded?.start ?? []), ...own], scope);
  }

  /** A verb or a stage is about to begin: what was done since the last one takes effect. */
  arrive(key: string, scope: () => Scope): void {
    const { changes } = this.#recorded ?? {};
    const thrown = changes === undefined ? this.#thrown : changes.get(key);
    if (thrown === undefined || thrown.length === 0) return;
    this.#thrown = [];
    this.#throw(thrown, scope());
  }

  /** Takes nothing any more; tells the messages that entered nowhere. */
  close(scope: Scope): readonly string[] {
    this.#isOver = true;
    const missed = this.messages.missed();
    for (const message of missed) this.#bus.emit("message.missed", { ...message }, scope);
    return missed.map(({ text }) => text);
  }

  get #isClosed(): boolean {
    return this.#isOver || this.#recorded !== undefined;
  }

  #throw(changes: readonly SwitchChange[], scope: Scope): void {
    for (const { name, isOn } of changes) {
      const entry = this.#switches.turn(name, isOn);
      if (entry === undefined) continue;
      const { stages, tools, limits } = entry;
      this.#bus.emit("switch.changed", { switch: name, isOn, stages, tools, limits }, scope);
    }
  }
}

/** Hosts pass on what a person or another program sent, so nothing about it is taken for granted. */
function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  const text: unknown =
    typeof message === "object" && message !== null && "text" in message ? message.text : "";
  return typeof text === "string" ? text : "";
}
