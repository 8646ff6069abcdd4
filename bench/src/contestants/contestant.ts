import type { Opening } from "../task.ts";

/** Where a contestant finds its model, and whether replies come in pieces. */
export interface Endpoint {
  readonly url: string;
  readonly stream: boolean;
  /** The system text, the task and the tool: the same for all. */
  readonly opening: Opening;
}

/** One way to run the agent; `run` resolves to the answer. */
export interface Contestant {
  readonly name: string;
  readonly run: () => Promise<string>;
  readonly close: () => Promise<void>;
}
