import {
  type Bounds,
  generations,
  type OptionsProblem,
  type StageFacts,
  sumBounds,
  timesBounds,
} from "@loopwright/core/plugin";

/** How a model verifies what no check decides. */
export const METHODS = [
  "judge",
  "cove-joint",
  "cove-two-step",
  "cove-factored",
  "cove-revise",
] as const;

type Method = (typeof METHODS)[number];

/** The voices of a method. */
export function voicesOf(method: Method): readonly string[] {
  return method === "judge" ? ["judge"] : ["ask", "answer"];
}

/** One verification, and one more for each revision. */
export function verifyBounds(
  options: {
    readonly method: Method;
    readonly maxRounds?: number;
    readonly maxQuestions?: number;
  },
  children: { readonly answer: Bounds; readonly revise: Bounds },
): Bounds {
  const { method, maxRounds = 1, maxQuestions = 5 } = options;
  const rounds = children.revise.isAbsent === true ? 0 : maxRounds;
  const round = roundBounds(method, maxQuestions, children);
  return sumBounds(timesBounds(round, 0, 1 + rounds), timesBounds(children.revise, 0, rounds));
}

/** One verification: a judge, or questions that are asked, answered, and held against the draft. */
function roundBounds(
  method: Method,
  maxQuestions: number,
  { answer }: { readonly answer: Bounds },
): Bounds {
  if (method === "judge") return generations(1);
  if (method === "cove-joint") return generations(0, 2);
  const times = method === "cove-two-step" ? 1 : maxQuestions;
  const answering = answer.isAbsent === true ? generations(0, 1) : answer;
  const comparing = method === "cove-revise" ? maxQuestions : 0;
  return sumBounds(generations(0, 2 + comparing), timesBounds(answering, 0, times));
}

/** Options that say nothing with the others, and methods that can't be run yet. */
export function problemsOf(
  options: {
    readonly checks: readonly unknown[];
    readonly method: Method;
    readonly maxRounds?: number;
    readonly maxQuestions?: number;
  },
  { slots, noModel }: StageFacts,
): readonly OptionsProblem[] {
  const { checks: list, method, maxRounds, maxQuestions } = options;
  const problems: OptionsProblem[] = [];
  if (maxRounds !== undefined && !slots.includes("revise")) {
    problems.push({ option: "maxRounds", ...NO_REVISE });
  }
  if (noModel && list.length === 0) problems.push(NO_JUDGE);
  if (method === "judge") {
    if (maxQuestions !== undefined) problems.push(misfit("maxQuestions", ASKS_NONE));
    if (slots.includes("answer")) problems.push(misfit("answer", ASKS_NONE));
    return problems;
  }
  if (method === "cove-joint" && slots.includes("answer")) problems.push(misfit("answer", JOINT));
  const message = `\`method: ${method}\` can be checked, but not run yet; \`method: judge\` can`;
  return [...problems, { option: "method", severity: "not-yet", message }];
}

const NO_REVISE: OptionsProblem = {
  message: "`maxRounds` does nothing without `revise`",
  repair: "add `revise: refine`, or delete `maxRounds`",
};

const NO_JUDGE: OptionsProblem = {
  message: "with `model: none` and no checks nothing is verified",
  repair: "add `checks: [constraints]`, or give a model",
};

const ASKS_NONE = "questions belong to the `cove` methods; `method: judge` asks none";

const JOINT = "`cove-joint` writes questions and answers in one call";

function misfit(option: string, message: string): OptionsProblem {
  return { option, message, repair: `delete \`${option}\`, or write \`method: cove-factored\`` };
}
