import type { EventEnvelope, RunEvent } from "@loopwright/core/plugin";
import { Activity } from "./activity.ts";
import { failedItemsText } from "./fact-notes.ts";
import { Scopes, type Stage } from "./scopes.ts";
import type { Stream } from "./stream.ts";

/** What has been told of one run, and what must be known to tell the rest. */
export class RunView {
  readonly id: string;
  readonly title: string;
  readonly scopes: Scopes = new Scopes();
  readonly activity: Activity;
  /** The stage under whose heading the last line stands. */
  at: Stage | undefined;
  /** What runs now, for the status line. */
  doing: string;
  /** The tools of the actions told last, while nothing else was told. */
  actions: string[] = [];
  /** The model call whose text is printed as it comes. */
  stream: Stream | undefined;
  /** The kind of streamed text that the last line holds. */
  streamed: "text" | "reasoning" | undefined;
  /** The fault told last: it climbs through the stages and is told once. */
  fault = "";
  /** True where an endpoint told no counts: then the tokens and the money are estimates. */
  isEstimated = false;
  /** Items of lists that failed while others went on, for the end of the run. */
  readonly failedItems: string[] = [];
  /** Text of the last reply without tool calls; a thought, if a tool is called next. */
  #unsaid: { readonly stage: Stage | undefined; readonly text: string } | undefined;

  constructor(event: RunEvent) {
    this.id = event.runId;
    this.title = event.name === "run.start" ? event.data.spec : "run";
    this.doing = this.title;
    this.activity = new Activity(event.time);
  }

  /** Follows an event before it is told. */
  follow(event: RunEvent): void {
    this.scopes.open(event);
    this.activity.follow(event);
    this.doing = this.scopes.stageOf(event)?.title ?? this.doing;
    if (event.name === "model-call.end" && event.data.isUsageEstimated === true)
      this.isEstimated = true;
    if (event.name === "fact.told") this.#followFact(event);
  }

  /** Keeps the text of a reply in case it turns out to be a thought. */
  keepUnsaid(event: EventEnvelope<"model-call.end">): void {
    this.#unsaid = { stage: this.scopes.stageOf(event), text: event.data.text };
  }

  #followFact(event: EventEnvelope<"fact.told">): void {
    if (event.data.fact === "tool-step.said") this.#unsaid = undefined;
    const text = failedItemsText(event);
    if (text !== undefined && !this.failedItems.includes(text)) this.failedItems.push(text);
  }

  /** The text of the reply that led to this event's action, once. */
  takeUnsaid(event: EventEnvelope<"tool-call.start">): string {
    const unsaid = this.#unsaid;
    if (unsaid === undefined || unsaid.stage !== this.scopes.stageOf(event)) return "";
    this.#unsaid = undefined;
    return unsaid.text;
  }
}
