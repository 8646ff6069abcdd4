import {
  defineStrategy,
  NO_BOUNDS,
  type StrategyDefinition,
  template,
  Type,
} from "@loopwright/core/plugin";
import { asText } from "../shared/as-text.ts";

const options = Type.Object({
  reason: template({ description: "Why the run ends here, for the people who read it." }),
});

/** Ends the run with what there is; choose it with `when`, where going on makes no sense. */
export const stop: StrategyDefinition = defineStrategy({
  id: "stop",
  description: "Ends the run here, with what there is.",
  options,
  flow: { stops: "always" },
  bounds: () => NO_BOUNDS,
  async run(_state, context, { reason }) {
    context.stop(asText(reason));
  },
});
