import { type Language, wordsIn } from "../contracts/prompt.ts";
import type {
  Answer,
  Issue,
  Lesson,
  Observation,
  Plan,
  PlanStep,
  RunState,
  Task,
} from "../contracts/state.ts";
import type { BriefField } from "../contracts/strategy-context.ts";
import {
  AFTER,
  ANSWER,
  BECAUSE,
  BETWEEN,
  CALL,
  CONFLICTS,
  DELIVERABLE,
  EVIDENCE,
  FAILED_CALL,
  GOAL,
  HARD_CONSTRAINTS,
  INPUT_LINE,
  INPUTS,
  ISSUE,
  ITS_EVIDENCE,
  ITS_REASONING,
  LESSON,
  LESSONS,
  MISSION,
  NONE,
  OPEN_ISSUES,
  PART,
  PLAN,
  PLAN_STEP,
  REVISED_VERDICT,
  STATUSES,
  STEP_EVIDENCE,
  TASK,
  TRADEOFFS,
  UNSOLVABLE,
  VERDICT,
  WHAT_HAPPENED,
} from "./brief-words.ts";
import { oneLine } from "./one-line.ts";
import { defuseContent, defuseFences, observationText } from "./observation-text.ts";

/**
 * Parts of the state as text for a prompt, in the language of the spec; observations are fenced as data. A field with
 * nothing in it says nothing.
 */
export function brief(
  state: RunState,
  fields: readonly BriefField[],
  language: Language = "en",
): string {
  return fields
    .map((field) => {
      const text = SECTIONS[field](state, language);
      // Neither an answer nor an input can pass for what a tool returned.
      return field === "evidence" ? text : defuseFences(text);
    })
    .filter((part) => part !== "")
    .join("\n\n");
}

const SECTIONS: Readonly<Record<BriefField, (state: RunState, language: Language) => string>> = {
  task: (state, language) => taskText(state.task, language),
  plan: (state, language) => planText(state.plan, language),
  answer: (state, language) => answerText(state.answer, language),
  evidence: (state, language) => observationsText(state.observations, language),
  issues: (state, language) =>
    issuesText(state.verdict.outcome === "pass" ? [] : state.verdict.issues, language),
  lessons: (state, language) => lessonsText(state.lessons, language),
  trajectory: (state, language) => trajectoryText(state, language),
};

function taskText(task: Task, language: Language): string {
  const inputs = Object.entries(task.inputs).map(([name, value]) =>
    wordsIn(language, INPUT_LINE, {
      name,
      value: typeof value === "string" ? value : JSON.stringify(value),
    }),
  );
  return [
    section(wordsIn(language, TASK), task.text),
    section(wordsIn(language, MISSION), task.mission),
    section(wordsIn(language, DELIVERABLE), task.deliverable),
    section(
      wordsIn(language, HARD_CONSTRAINTS),
      task.constraints.map((constraint) => `- ${constraint.text}`).join("\n"),
    ),
    section(wordsIn(language, INPUTS), inputs.join("\n")),
    section(wordsIn(language, PART), withoutHeadings(task.part ?? "")),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Which part a branch does may tell what a model wrote: none of its lines can pass for a section of the prompt. */
function withoutHeadings(part: string): string {
  return part.replaceAll(/^(?=[ \t]*#)/gmu, "\\");
}

/** Each thing of the plan in one line: a model wrote it, and a break could begin a section that it has no right to. */
function planText({ goal, steps, tradeoffs, conflicts }: Plan, language: Language): string {
  if (steps.length === 0) return "";
  const listed = (list: readonly string[] = []): string =>
    list.map(oneLine).join(wordsIn(language, BETWEEN));
  const settled = listed(tradeoffs);
  const open = listed(conflicts);
  const lines = [
    oneLine(wordsIn(language, GOAL, { goal })),
    ...steps.map((step, index) => oneLine(stepText(step, index + 1, language))),
    ...(settled === "" ? [] : [wordsIn(language, TRADEOFFS, { tradeoffs: settled })]),
    ...(open === "" ? [] : [wordsIn(language, CONFLICTS, { conflicts: open })]),
  ];
  return section(wordsIn(language, PLAN), lines.join("\n"));
}

function stepText(step: PlanStep, number: number, language: Language): string {
  const { id, objective, dependsOn, successCondition } = step;
  const after =
    dependsOn.length === 0 ? "" : wordsIn(language, AFTER, { ids: dependsOn.join(", ") });
  const status = statusText(step, language);
  return wordsIn(language, PLAN_STEP, { number, id, objective, after, successCondition, status });
}

/** What has become of a step: what it rests on, and how its condition is met. */
function statusText({ status, evidence, because = "" }: PlanStep, language: Language): string {
  return [
    wordsIn(language, STATUSES[status]),
    evidence.length === 0 ? "" : wordsIn(language, STEP_EVIDENCE, { ids: evidence.join(", ") }),
    because === "" ? "" : wordsIn(language, BECAUSE, { because }),
  ].join("");
}

function answerText(answer: Answer, language: Language): string {
  if (answer.revision === 0) return "";
  const { text, reasoning, solvable, unsolvableReason: reason, evidence } = answer;
  const ids = evidence.length === 0 ? wordsIn(language, NONE) : evidence.join(", ");
  const lines = [
    text,
    ...(reasoning === "" ? [] : [wordsIn(language, ITS_REASONING, { reasoning })]),
    ...(solvable ? [] : [wordsIn(language, UNSOLVABLE, { reason })]),
    wordsIn(language, ITS_EVIDENCE, { ids }),
  ];
  return section(wordsIn(language, ANSWER), lines.join("\n"));
}

function observationsText(all: readonly Observation[], language: Language): string {
  const observations = all.filter(({ isThought }) => isThought !== true);
  if (observations.length === 0) return "";
  return section(wordsIn(language, EVIDENCE), observations.map(observationText).join("\n"));
}

function issuesText(issues: readonly Issue[], language: Language): string {
  const lines = issues.map(({ kind, detail, requiredAction, needs }) =>
    oneLine(wordsIn(language, ISSUE, { kind, detail, requiredAction, needs })),
  );
  return section(wordsIn(language, OPEN_ISSUES), lines.join("\n"));
}

function lessonsText(lessons: readonly Lesson[], language: Language): string {
  const lines = lessons.map(({ trigger, lesson, avoid }) =>
    oneLine(wordsIn(language, LESSON, { trigger, lesson, avoid })),
  );
  return section(wordsIn(language, LESSONS), lines.join("\n"));
}

function trajectoryText(state: RunState, language: Language): string {
  const calls = state.observations.map(({ tool, input, ok, content }) =>
    wordsIn(language, ok ? CALL : FAILED_CALL, {
      tool,
      input: JSON.stringify(input),
      result: firstLine(defuseContent(content)),
    }),
  );
  const { outcome, revised } = state.verdict;
  const verdict =
    outcome === "none" ? [] : [wordsIn(language, revised ? REVISED_VERDICT : VERDICT, { outcome })];
  return section(wordsIn(language, WHAT_HAPPENED), [...calls, ...verdict].join("\n"));
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function section(heading: string, body: string): string {
  return body.trim() === "" ? "" : `## ${heading}\n${body}`;
}
