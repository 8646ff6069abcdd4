import type { RunEvent } from "@loopwright/core/plugin";
import { formatCount, formatDuration, formatUsd, tokensOf } from "./amounts.ts";
import { clip, neutralize } from "./text.ts";

/** Columns that what happens gets at least; figures give way to it. */
const MIN_DOING = 28;

/** What a run is doing and has used, for the status line. */
export class Activity {
  readonly #startedAt: number;
  readonly #open = new Map<string, { readonly verb: string; readonly what: string }>();
  readonly #waiting = new Set<string>();
  #step = "";
  #modelCalls = 0;
  #tokens = 0;
  #usd = 0;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** True while a person is asked: the terminal is theirs. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Follows an event. */
  follow(event: RunEvent): void {
    switch (event.name) {
      case "model-call.start":
        this.#modelCalls += 1;
        this.#open.set(event.spanId, { verb: "asking", what: shortName(event.data.model) });
        break;
      case "model-call.delta":
        this.#write(event.spanId, event.data.kind);
        break;
      case "model-call.end":
        this.#open.delete(event.spanId);
        this.#tokens += tokensOf(event.data.usage);
        this.#usd += event.data.usd;
        break;
      case "tool-call.start":
        this.#open.set(event.spanId, { verb: "calling", what: event.data.tool });
        break;
      case "tool-call.end":
        this.#open.delete(event.spanId);
        break;
      case "step.start":
        this.#step = ` ${event.data.index}/${event.data.max}`;
        break;
      case "step.end":
        this.#step = "";
        break;
      case "approval.requested":
      case "question.asked":
        this.#waiting.add(event.data.id);
        break;
      case "approval.given":
      case "question.answered":
        this.#waiting.delete(event.data.id);
        break;
      default:
    }
  }

  /** One line of at most `columns`: what happens now, then the figures, as many as there is room for. */
  line(stage: string, now: number, columns: number): string {
    const latest = [...this.#open.values()].at(-1);
    const others = this.#open.size > 1 ? ` +${this.#open.size - 1}` : "";
    const doing = latest === undefined ? "" : `: ${latest.verb} ${latest.what}${others}`;
    const text = neutralize(`${stage}${this.#step}${doing}`).replaceAll("\n", " ");
    const figures = [
      formatDuration(now - this.#startedAt).replace(/\.\d/u, ""),
      `${this.#modelCalls} ${this.#modelCalls === 1 ? "call" : "calls"}`,
      ...(this.#tokens > 0 ? [`${formatCount(this.#tokens)} tokens`] : []),
      ...(this.#usd > 0 ? [formatUsd(this.#usd)] : []),
    ];
    const fits = (count: number) =>
      columns - rightOf(figures, count).length >= Math.min(MIN_DOING, text.length);
    const shown = [figures.length, 3, 2, 1].find(fits) ?? (columns < 20 ? 0 : 1);
    const right = rightOf(figures, shown);
    return clip(text, columns - right.length) + right;
  }

  #write(spanId: string, kind: "text" | "reasoning"): void {
    const call = this.#open.get(spanId);
    if (call === undefined) return;
    const verb = kind === "reasoning" ? "thinking with" : "writing with";
    this.#open.set(spanId, { verb, what: call.what });
  }
}

/** A model without the provider before it. */
function shortName(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}

function rightOf(figures: readonly string[], count: number): string {
  return figures
    .slice(0, count)
    .map((figure) => ` · ${figure}`)
    .join("");
}
