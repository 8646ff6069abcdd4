import { defineStrategy, type StrategyDefinition, Type } from "@loopwright/core/plugin";
import { act } from "./react/act.ts";
import { Course } from "./react/course.ts";
import { conclude, finish, settle, SILENT } from "./react/finish.ts";
import { reflectionOptions } from "./react/reflection-moments.ts";
import { thoughtOptions } from "./react/thought-rules.ts";
import { oneOf } from "./shared/one-of.ts";

const options = Type.Object({
  mode: oneOf(["auto", "native", "structured", "text"], {
    description:
      "How thoughts and calls are written: as the model's own calls, one object a step (which alone also tells what else was weighed), or labelled text; auto chooses by what the model can do.",
    default: "auto",
  }),
  maxSteps: Type.Integer({
    description: "The most steps; the last one answers without tools.",
    default: 8,
    minimum: 1,
    maximum: 100,
  }),
  maxCallsPerStep: Type.Integer({
    description: "The most tool calls executed in one step.",
    default: 3,
    minimum: 1,
    maximum: 20,
  }),
  history: oneOf(["full", "compact", "latest"], {
    description:
      "How older steps are shown: whole, with shortened results and no thoughts, or as one line each.",
    default: "full",
  }),
  observations: oneOf(["full", "short", "brief"], {
    description: "How much of each result the model reads: 6,000, 500 or 300 characters.",
    default: "full",
  }),
  thoughts: thoughtOptions,
  ...reflectionOptions,
});

/**
 * Thinks, calls tools and reads what they return, until it can answer; choose it when facts or effects must come from
 * tools and each call depends on what the last one found (ReAct, Yao et al. 2022, arXiv:2210.03629).
 *
 * Deviations: the paper's text protocol is one of three modes; several calls may go in one step except in text, the last
 * step always answers, and a reply that can't be read costs a step instead of a second call.
 */
export const react: StrategyDefinition = defineStrategy({
  id: "react",
  description: "Thinks, calls tools and reads their results, step by step, until it can answer.",
  options,
  promptNames: { default: ["maxSteps"] },
  flow: {
    uses: ["plan", "observations", "answer", "verdict", "lessons", "thread"],
    sets: ["answer", "thread"],
    maySet: ["observations"],
  },
  // Each step asks once and the last one answers: a fault, a reflection and the progress of a plan use up a step too.
  bounds: ({ maxSteps, maxCallsPerStep }) => ({
    generations: [1, maxSteps],
    toolCalls: [0, (maxSteps - 1) * maxCallsPerStep],
  }),
  async run(state, context, settings) {
    const { maxSteps } = settings;
    const course = new Course(state, context, settings);
    for (let step = 1; step <= maxSteps; step += 1) {
      context.step(step, maxSteps);
      if (step === maxSteps || course.ending !== undefined || context.conclude())
        return await conclude(course, step);
      const move = await course.ask(step);
      const { calls, answer, fault } = move;
      if (fault !== undefined) {
        if (course.isSilentAgain(fault))
          return settle(course, { code: "output-empty", reason: SILENT });
        course.reject(fault);
      } else {
        const hasNewPlan = calls.length > 0 && (await act(course, move));
        // An answer that another plan stands beside was given too early.
        if (answer !== undefined && !hasNewPlan && !course.reflectsFirst(step, answer))
          return finish(course, answer);
      }
    }
    return {};
  },
});
