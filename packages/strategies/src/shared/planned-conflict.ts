import { type TSchema, Type } from "@loopwright/core/plugin";
import { oneOf } from "./one-of.ts";

/** Wishes that cannot all be met, as a model names them. */
export interface PlannedConflict {
  readonly between: readonly string[];
  readonly resolution: "preference" | "relax" | "compromise" | "ask";
  readonly relaxed: string;
  readonly detail: string;
  readonly prices: readonly string[];
}

/** The schema of a conflict in a plan. */
export const PlannedConflict: TSchema & { readonly static: PlannedConflict } = Type.Object({
  between: Type.Array(Type.String(), { description: "The two wishes, in the words of the task." }),
  resolution: oneOf(["preference", "relax", "compromise", "ask"], {
    description:
      "How it is settled: by a preference that is stated, by relaxing a soft wish, by a compromise, or by asking the person.",
  }),
  relaxed: Type.String({ description: "The wish that gives way, word for word; empty if none." }),
  detail: Type.String({
    description: "The preference, what gives way, the compromise, or why a person must decide.",
  }),
  prices: Type.Array(Type.String(), {
    description: "What keeping each wish costs, in the order of `between`.",
  }),
});
