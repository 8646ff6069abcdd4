import { isNoAction } from "./react-labels.ts";
import { type ReactSection, type ReactSections, withoutMarks } from "./react-sections.ts";
import type { StructuredFailure } from "./structured-result.ts";

/** What can be left out of a text: the model made it up, or it says nothing to do. */
export type ReactDropped =
  | "observation"
  | "later-step"
  | "thinking"
  | "text-before"
  | "text-after"
  | "question"
  | "no-action";

/** The values of the first step of a text. */
export interface CollectedStep {
  readonly ok: true;
  readonly thoughts: readonly string[];
  readonly action: string | undefined;
  readonly input: string | undefined;
  readonly answer: string | undefined;
  /** Whether an input belongs to no action. */
  readonly hasOrphan: boolean;
  readonly dropped: ReadonlySet<ReactDropped>;
}

/** Takes the first complete step: up to the first observation, with the first action or the one answer. */
export function collectStep(
  { sections }: ReactSections,
  isTool: (name: string) => boolean,
): CollectedStep | StructuredFailure {
  const collector = new Collector(isTool);
  for (const section of sections) {
    if (section.label === "observation") {
      collector.dropped.add("observation");
      break;
    }
    if (section.label === "question") {
      collector.dropped.add("question");
      if (collector.answer !== undefined) break;
      continue;
    }
    const failure = collector.take(section);
    if (failure !== undefined) return failure;
  }
  return collector.step();
}

/** A label of an observation inside a line, which may be part of the input or made up. */
const saysObservation = /[^\S\r\n](?:Observation(?: \d{1,3})?|观察|觀察) ?[:：﹕]/;

class Collector {
  readonly dropped: Set<ReactDropped> = new Set();
  answer: string | undefined;
  readonly #isTool: (name: string) => boolean;
  readonly #thoughts: string[] = [];
  /** Thoughts behind an action that has no input yet. */
  #waiting: string[] = [];
  #action: string | undefined;
  #input: string | undefined;
  /** Whose input comes next. */
  #owner: "first" | "later" | "none" | undefined;
  #hasOrphan = false;

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  take(section: ReactSection): StructuredFailure | undefined {
    switch (section.label) {
      case "thought":
        return this.#takeThought(section.value);
      case "action":
        return this.#takeAction(section.value);
      case "input":
        return this.#takeInput(section.value);
      case "answer":
        return this.#takeAnswer(section.value);
      case "observation":
      case "question":
        return undefined;
      default:
        return undefined;
    }
  }

  step(): CollectedStep {
    if (this.#waiting.length > 0) this.dropped.add("later-step");
    return {
      ok: true,
      thoughts: this.#thoughts,
      action: this.#action,
      input: this.#input,
      answer: this.answer,
      hasOrphan: this.#hasOrphan,
      dropped: this.dropped,
    };
  }

  #takeThought(value: string): undefined {
    if (this.answer !== undefined || this.#input !== undefined) this.dropped.add("later-step");
    else if (this.#action !== undefined) this.#waiting.push(value);
    else this.#thoughts.push(value);
  }

  #takeAction(value: string): StructuredFailure | undefined {
    const name = withoutMarks(value);
    if (name !== "" && isNoAction(name) && !this.#isTool(name)) {
      this.dropped.add("no-action");
      if (this.#action === undefined) this.#owner = "none";
      else this.#owner = "later";
      return undefined;
    }
    if (this.answer !== undefined && value !== "") return both();
    if (this.#action === undefined) {
      this.#action = value === "" ? undefined : value;
      this.#owner = value === "" ? undefined : "first";
      return undefined;
    }
    const isRepeat = value === this.#action && this.#input === undefined;
    if (isRepeat) return undefined;
    const isComplete =
      this.#input !== undefined || this.#waiting.length > 0 || /[([{（［【]/.test(this.#action);
    if (!isComplete) {
      return ambiguous(
        "two actions follow each other, and the first has no input; give one action",
      );
    }
    this.#owner = "later";
    this.dropped.add("later-step");
    return undefined;
  }

  #takeInput(value: string): StructuredFailure | undefined {
    const isEmpty = value === "" || /^(?:none|null|n\/a|\{\s*\})$/i.test(value);
    if (this.#owner === "first") {
      if (this.#input !== undefined && this.#input !== value) {
        return ambiguous("the action has two inputs; give one");
      }
      if (saysObservation.test(value) && !/^[[{`~]/.test(value)) {
        return ambiguous("an Observation stands inside the Action Input; end the step before it");
      }
      this.#input = value;
      this.#thoughts.push(...this.#waiting);
      this.#waiting = [];
    } else if (this.#owner === "later") this.dropped.add("later-step");
    else if (!(this.#owner === "none" && isEmpty)) this.#hasOrphan = true;
    return undefined;
  }

  #takeAnswer(value: string): StructuredFailure | undefined {
    if (this.#action !== undefined) return both();
    if (this.answer !== undefined) return ambiguous("there are two final answers; give one");
    this.answer = value;
    return undefined;
  }
}

function both(): StructuredFailure {
  return ambiguous("the step has an action and a final answer; give one of them");
}

function ambiguous(message: string): StructuredFailure {
  return { ok: false, code: "ambiguous", message };
}
