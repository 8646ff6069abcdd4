import {
  type AnswerDraft,
  defineStrategy,
  definePrompt,
  observationText,
  type OptionsProblem,
  ProviderError,
  type StrategyContext,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { answerOf } from "./shared/answer-of.ts";
import { conversationOf, sayTo } from "./shared/conversation.ts";
import {
  ADD_TOOL,
  answerText,
  codeIn,
  faultOfSandbox,
  outcomeOf,
  type ProgramOutcome,
  sandboxOf,
  toCall,
} from "./shared/program.ts";
import { say, type Talk } from "./shared/thread.ts";

const options = Type.Object({
  tool: Type.Optional(
    Type.String({
      description:
        "The tool that runs the program, by its name in the spec: it takes JavaScript as `code` and returns the value of its last expression. The one `javascript` tool of the stage where left out.",
    }),
  ),
  maxRepairs: Type.Integer({
    description: "How often a program that fails goes back to the model with its error.",
    default: 0,
    minimum: 0,
    maximum: 3,
  }),
});

/**
 * Writes a program instead of a calculation, runs it in a sandbox, and takes its value for the answer; choose it for
 * arithmetic, counting, dates and other tasks that a short program decides exactly (PAL, Gao et al. 2022, arXiv:2211.10435;
 * Program of Thoughts, Chen et al. 2022, arXiv:2211.12588).
 *
 * A program that fails ends the stage, as one does whose value holds NaN or an infinite number: no answer is guessed. Deviations: the program is JavaScript, where both papers
 * run Python; `maxRepairs` feeds errors back, which the papers do not; a value that does not fit the declared output is
 * mapped to it in one more call, as Chen et al. do for options to choose from. The vote over several programs is
 * `self-consistency` around this stage.
 */
export const programAided: StrategyDefinition = defineStrategy({
  id: "program-aided",
  description: "Writes a JavaScript program, runs it in a sandbox, and answers with its value.",
  options,
  voices: ["program", "map"],
  promptNames: { program: ["form"], map: ["program", "value", "shown"] },
  flow: {
    uses: ["plan", "observations", "lessons"],
    sets: ["answer", "thread"],
    maySet: ["observations"],
  },
  bounds: ({ maxRepairs }) => ({
    generations: [1, 1 + maxRepairs + 1],
    toolCalls: [1, 1 + maxRepairs],
  }),
  validate: ({ tool }, { tools }): readonly OptionsProblem[] => {
    const { sandbox, fault = faultOfSandbox(sandbox), repair = ADD_TOOL } = sandboxOf(tools, tool);
    const at = tool === undefined ? {} : { option: "tool" };
    return fault === undefined ? [] : [{ message: fault, repair, ...at }];
  },
  async run(_state, context, { tool, maxRepairs }) {
    let talk: Talk = { messages: [], prompt: firstPrompt(context) };
    for (let attempt = 1; attempt <= maxRepairs + 1; attempt += 1) {
      context.step(attempt, maxRepairs + 1);
      const bind = { form: formOf(context) };
      const reply = await context.generate({ ...talk, voice: "program", bind });
      const executed = await execute(context, { tool, said: reply.text, attempt });
      const messages = sayTo(conversationOf(reply), executed.shown);
      context.save({ thread: { messages } });
      if (executed.ok) return { answer: await answerWith(context, executed) };
      if (attempt > maxRepairs || context.conclude()) throw failed(executed.reason, attempt);
      talk = say({ messages }, context.words(MEND));
    }
    return {};
  },
});

/** A program that was run. */
interface Executed extends ProgramOutcome {
  readonly program: string;
  /** The observation for a prompt. */
  readonly shown: string;
  readonly evidence: readonly string[];
}

function firstPrompt(context: StrategyContext): string {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  return [known, context.words(PROGRAM), formOf(context)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What the value has to be, for an output with declared fields. */
function formOf(context: StrategyContext): string {
  const schema = context.outputSchema();
  return schema === undefined ? "" : context.words(FORM, { schema: JSON.stringify(schema) });
}

/** Runs the program of a reply; what comes back is shown as it stands in the thread. */
async function execute(
  context: StrategyContext,
  {
    tool,
    said,
    attempt,
  }: { readonly tool: string | undefined; readonly said: string; readonly attempt: number },
): Promise<Executed> {
  const { sandbox, fault = "" } = sandboxOf(context.tools, tool);
  if (sandbox === undefined) throw new ProviderError("strategy-failed", fault);
  const program = codeIn(said);
  const [observation] = await context.callTools([toCall(sandbox.name, program, attempt)]);
  if (observation === undefined) throw new ProviderError("strategy-failed", NOT_RUN);
  const shown = observationText(observation);
  return { program, shown, evidence: [observation.id], ...outcomeOf(observation) };
}

/** The value as the answer; mapped to one in a further call where it is not of the form that is asked for. */
async function answerWith(
  context: StrategyContext,
  { program, value, shown, evidence }: Executed,
): Promise<AnswerDraft> {
  const fit = await context.fitAnswer(answerText(value, context.outputSchema()));
  if (fit.ok) return { ...fit.value, reasoning: program, evidence };
  const prompt = `${context.brief(["task"])}\n\n${context.words(MAP, { program, shown })}`;
  const bind = { program, value: value ?? null, shown };
  const reply = await context.generate({ voice: "map", prompt, bind, answer: true });
  return { ...answerOf(reply), reasoning: program, evidence };
}

function failed(reason: string, attempts: number): ProviderError {
  const count = attempts === 1 ? "the program" : `each of ${attempts} programs`;
  return new ProviderError("strategy-failed", `${count} failed: ${reason}`);
}

const NOT_RUN = "the program was not run";

const PROGRAM = definePrompt({
  en: `Write a JavaScript program that computes the answer; don't compute anything yourself.
- Define \`function solution() { ... }\`, which takes nothing and returns the answer as a value: a number, a text, or data. Don't call it and print nothing.
- Give every quantity of the task a variable with a telling name, and say in a comment where it comes from. Use no quantity that neither the task nor the evidence holds.
- There is no network, no file, no import, no timer and no clock. Nothing is asynchronous.
Write the program in one \`\`\`js block, and nothing else.`,
  zh: `写一个计算答案的 JavaScript 程序；不要自己计算任何东西。
- 定义 \`function solution() { ... }\`，它没有参数，以值的形式返回答案：数字、文本或数据。不要调用它，也不要打印任何内容。
- 任务中的每个量都用一个名称清楚的变量表示，并在注释里写明它的来源。不要使用任务和证据中都没有的量。
- 没有网络、文件、import、定时器和时钟。不能有异步代码。
把程序写在一个 \`\`\`js 代码块里，不要写其他内容。`,
});

const FORM = definePrompt({
  en: "What `solution()` returns must fit this JSON Schema: {{schema}}",
  zh: "`solution()` 的返回值必须符合这个 JSON Schema：{{schema}}",
});

const MEND = definePrompt({
  en: "The program failed. Find out why, and write the whole program again.",
  zh: "程序失败了。找出原因，然后重新写出完整的程序。",
});

const MAP = definePrompt({
  en: `This program was run for the task:
{{program}}

{{shown}}

Give the answer that this result stands for, in the form that is asked for; where there are options to choose from, the one nearest to it. Compute nothing.`,
  zh: `为这个任务运行了下面的程序：
{{program}}

{{shown}}

给出这个结果所代表的答案，使用要求的格式；如果有选项，选择最接近的那一个。不要做任何计算。`,
});
