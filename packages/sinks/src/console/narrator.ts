import type { Clock, EventEnvelope, RunEvent, Sink, Terminal } from "@loopwright/core/plugin";
import { setEnding, setOpening } from "./ending.ts";
import { roomBeside, setHeading, setNote } from "./layout.ts";
import { type Level, type Note, warning } from "./note.ts";
import { noteOf } from "./notes.ts";
import { Page } from "./page.ts";
import { RunView } from "./run-view.ts";
import { pathTo, type Stage } from "./scopes.ts";
import { Stream, type StreamedLine } from "./stream.ts";
import { thoughtBeforeAction, thoughtsIn } from "./thoughts.ts";
import { actionNote, observationNote, thoughtNote } from "./work-notes.ts";

/** How a person wants to be told. */
export interface Telling {
  readonly level: Level;
  readonly showDeltas: boolean;
}

/** Tells runs to the person at a terminal, several at once where they overlap. */
export class Narrator implements Sink {
  readonly #clock: Clock;
  readonly #telling: Telling;
  readonly #page: Page;
  readonly #runs = new Map<string, RunView>();
  #lastRun = "";
  /** What the last piece of each open reply was. */
  readonly #pieces = new Map<string, "text" | "reasoning">();

  constructor(terminal: Terminal, clock: Clock, telling: Telling) {
    this.#clock = clock;
    this.#telling = telling;
    this.#page = new Page(terminal, clock, telling.level);
  }

  /** Pieces of replies are wanted where they are shown; the status line needs to know of the first ones alone. */
  wants(event: RunEvent): boolean {
    if (event.name === "model-call.end") this.#pieces.delete(event.spanId);
    if (event.name !== "model-call.delta") return true;
    if (this.#telling.showDeltas && !this.#isQuiet) return true;
    if (this.#pieces.get(event.spanId) === event.data.kind) return false;
    this.#pieces.set(event.spanId, event.data.kind);
    return this.#page.hasStatus;
  }

  /** Tells one event. */
  handle(event: RunEvent): void {
    const run = this.#runs.get(event.runId) ?? new RunView(event);
    if (event.name === "run.start") this.#runs.set(event.runId, run);
    run.follow(event);
    if (event.name === "run.end") this.#runs.delete(event.runId);
    this.#narrate(run, event);
    this.#showStatus(run);
  }

  /** Leaves the terminal without a status line. */
  close(): void {
    this.#page.showStatus(undefined);
  }

  #narrate(run: RunView, event: RunEvent): void {
    switch (event.name) {
      case "run.start":
        return this.#open(run, event);
      case "run.end":
        return this.#print(run, setEnding(event.data, this.#page.setting, run));
      case "model-call.delta":
        return this.#tellDelta(run, event);
      case "model-call.end":
        return this.#tellReply(run, event);
      case "tool-call.start":
        return this.#tellAction(run, event);
      case "observation.recorded":
        return this.#tellObservation(run, event);
      case "stage.end":
        if (event.data.fault !== undefined) this.#tellFault(run, event, event.data.fault.message);
        return this.#tell(run, event, noteOf(event, this.#telling.level));
      default:
        return this.#tell(run, event, noteOf(event, this.#telling.level));
    }
  }

  #open(run: RunView, event: EventEnvelope<"run.start">): void {
    const isFirst = this.#lastRun === "";
    this.#lastRun = run.id;
    if (this.#isQuiet) return;
    const opening = setOpening(event.data, this.#page.setting);
    this.#page.print(isFirst ? opening : ["", ...opening]);
  }

  #tellReply(run: RunView, event: EventEnvelope<"model-call.end">): void {
    if (run.stream?.spanId === event.spanId) {
      this.#printStreamed(run, event, run.stream.end());
      run.stream = undefined;
    } else {
      const thoughts = thoughtsIn(event.data, this.#telling.level === "verbose");
      for (const thought of thoughts) this.#tellUnlessQuiet(run, event, thoughtNote(thought));
      if (thoughts.length === 0 && event.data.toolCalls.length === 0) run.keepUnsaid(event);
    }
    if (event.data.finishReason === "length") {
      this.#tellUnlessQuiet(run, event, warning("cut", "the reply reached its limit of tokens"));
    }
    this.#tell(run, event, noteOf(event, this.#telling.level));
  }

  #tellAction(run: RunView, event: EventEnvelope<"tool-call.start">): void {
    const thought = thoughtBeforeAction(run.takeUnsaid(event));
    if (thought !== "") this.#tellUnlessQuiet(run, event, thoughtNote(thought));
    const actions = [...run.actions, event.data.tool];
    this.#tellUnlessQuiet(run, event, actionNote(event.data));
    run.actions = actions;
  }

  #tellObservation(run: RunView, event: EventEnvelope<"observation.recorded">): void {
    const { actions } = run;
    this.#tellUnlessQuiet(run, event, observationNote(event.data, actions));
    run.actions = actions;
  }

  #tellFault(run: RunView, event: EventEnvelope<"stage.end">, message: string): void {
    if (message === run.fault) return;
    run.fault = message;
    const tone = event.data.outcome === "failed" ? "bad" : "warning";
    this.#tellUnlessQuiet(run, event, {
      label: event.data.outcome,
      tone,
      text: message,
      maxLines: 4,
    });
  }

  #tellDelta(run: RunView, event: EventEnvelope<"model-call.delta">): void {
    if (!this.#telling.showDeltas || this.#isQuiet) return;
    // One call at a time: texts that interleave can't be read. The others are told when they end.
    run.stream ??= new Stream(event.spanId);
    if (run.stream.spanId !== event.spanId) return;
    const depth = depthUnder(run.scopes.stageOf(event));
    const columns = roomBeside(depth, this.#page.setting);
    this.#printStreamed(run, event, run.stream.push(event.data.kind, event.data.text, columns));
  }

  #printStreamed(run: RunView, event: RunEvent, lines: readonly StreamedLine[]): void {
    for (const { kind, line } of lines) {
      if (line.trim() === "") continue;
      const name = kind === "reasoning" ? "thought" : "text";
      const label = run.streamed === kind ? "" : name;
      this.#tell(run, event, { label, tone: "quiet", text: line, maxLines: Infinity });
      run.streamed = kind;
    }
  }

  get #isQuiet(): boolean {
    return this.#telling.level === "quiet";
  }

  #tellUnlessQuiet(run: RunView, event: RunEvent, note: Note): void {
    if (!this.#isQuiet) this.#tell(run, event, note);
  }

  #tell(run: RunView, event: RunEvent, note: Note | undefined): void {
    if (note === undefined) return;
    const { setting } = this.#page;
    const stage = this.#isQuiet ? undefined : run.scopes.stageOf(event);
    // A question whether to act stands between an action and what came of it.
    if (!event.name.startsWith("approval.")) run.actions = [];
    run.streamed = undefined;
    const before = this.#turnTo(run);
    const headings = headingsBetween(run.at, stage).flatMap(({ title, depth }) => [
      ...(depth === 0 ? [""] : []),
      setHeading(title, depth, setting),
    ]);
    run.at = stage;
    this.#page.print([...before, ...headings, ...setNote(note, depthUnder(stage), setting)]);
  }

  #print(run: RunView, lines: readonly string[]): void {
    this.#page.print([...this.#turnTo(run), ...lines]);
  }

  /** Says which run speaks, where another one spoke before. */
  #turnTo(run: RunView): readonly string[] {
    if (this.#lastRun === run.id) return [];
    const isFirst = this.#lastRun === "";
    this.#lastRun = run.id;
    run.at = undefined;
    if (isFirst) return [];
    return ["", setHeading(`${run.title} ${run.id}`, 0, this.#page.setting)];
  }

  #showStatus(run: RunView): void {
    const runs = [...this.#runs.values()];
    const shown = this.#runs.get(run.id) ?? runs.at(-1);
    if (shown === undefined || runs.some(({ activity }) => activity.isWaiting)) {
      return this.#page.showStatus(undefined);
    }
    const others = runs.length > 1 ? `${runs.length} runs, ` : "";
    this.#page.showStatus((columns) =>
      shown.activity.line(others + shown.doing, this.#clock.now(), columns),
    );
  }
}

/** The headings to print so that a line of `to` is read under its own stage; going back to an outer stage needs none. */
function headingsBetween(from: Stage | undefined, to: Stage | undefined): readonly Stage[] {
  if (to === undefined) return [];
  const shown = new Set(from === undefined ? [] : pathTo(from));
  return pathTo(to).filter((stage) => !shown.has(stage));
}

function depthUnder(stage: Stage | undefined): number {
  return stage === undefined ? 0 : stage.depth + 1;
}
