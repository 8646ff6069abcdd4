import type { HistoryMode } from "./history.ts";
import type { ModeOption } from "./mode-of.ts";
import type { ObservationSize } from "./observation-size.ts";
import type { ReflectionOptions } from "./reflection-moments.ts";
import type { ThoughtOptions } from "./thought-rules.ts";

/** The options of the loop. */
export interface CourseOptions extends ReflectionOptions {
  readonly mode: ModeOption;
  readonly maxSteps: number;
  readonly maxCallsPerStep: number;
  readonly history: HistoryMode;
  readonly observations: ObservationSize;
  readonly thoughts: ThoughtOptions;
}
