import {
  type CheckDefinition,
  defineCheck,
  type Issue,
  type Observation,
  type RunState,
  Type,
} from "@loopwright/core/plugin";
import { readSources, type Sources } from "./evidence/sources.ts";
import { answerTexts } from "./shared/answer-texts.ts";
import { findClaims } from "./shared/claims.ts";
import { excerpt } from "./shared/comparable-text.ts";

const maxUnchecked = 10;

/** Holds an answer against the observations it cites: their ids, and every date, id and quotation it states. */
export const evidence: CheckDefinition = defineCheck({
  id: "evidence",
  description:
    "The answer cites observations that succeeded, and its dates, ids and quotations stand in them or in the task; numbers that do not are left to the judge.",
  options: Type.Object({}),
  requires: "tools",
  run: (state) => {
    const cited = citedObservations(state);
    const supportedEvidence = cited.filter(({ ok }) => ok).map(({ id }) => id);
    if (!state.answer.solvable) return { issues: [], supportedEvidence };
    const citations = judgeCitations(state, cited);
    if (supportedEvidence.length === 0) return { issues: citations, supportedEvidence };
    const sources = readSources(
      cited.filter(({ ok }) => ok),
      state.task,
    );
    const said = answerTexts(state.answer).map(findClaims);
    const numbers = said
      .flatMap((claims) => claims.numbers)
      .filter((number) => !sources.holdsNumber(number));
    return {
      issues: [...citations, ...unsupportedClaims(said, sources)],
      supportedEvidence,
      unchecked: [...failedCitations(cited), ...[...new Set(numbers)].map(numberQuestion)].slice(
        0,
        maxUnchecked,
      ),
    };
  },
});

function citedObservations({ answer, observations }: RunState): readonly Observation[] {
  return observations.filter(({ id }) => answer.evidence.includes(id));
}

function judgeCitations(
  { answer, observations }: RunState,
  cited: readonly Observation[],
): readonly Issue[] {
  const usable = observations.filter(({ ok }) => ok).map(({ id }) => id);
  const remedy =
    usable.length === 0
      ? "Call a tool that shows it, then cite the observation's id."
      : `Cite the ids of the observations that show it (there are ${usable.join(", ")}), or call a tool that does.`;
  if (answer.evidence.length === 0) {
    return [unsupported(`The answer "${excerpt(answer.text)}" cites no observation.`, remedy)];
  }
  const unknown = answer.evidence.filter((id) =>
    cited.every((observation) => observation.id !== id),
  );
  // Beside an observation that succeeded, a failed one may be what the answer reports.
  const failed = cited.some(({ ok }) => ok) ? [] : cited;
  return [
    ...unknown.map((id) =>
      unsupported(`The answer cites "${id}", which no observation has.`, remedy),
    ),
    ...failed.map(({ id, tool }) =>
      unsupported(
        `The answer cites "${id}", a call of ${tool} that failed: "${excerpt(contentOf(id, cited))}"; it supports nothing.`,
        remedy,
      ),
    ),
  ];
}

/** What the judge is asked about failed observations that stand beside good ones. */
function failedCitations(cited: readonly Observation[]): readonly string[] {
  return cited
    .filter(({ ok }) => !ok)
    .map(
      ({ id, tool, content }) =>
        `The answer cites "${id}", a call of ${tool} that failed: "${excerpt(content)}". Does the answer take it for no more than that failure?`,
    );
}

function numberQuestion(number: string): string {
  return `The answer says ${number}; no cited observation and no part of the task says this number. Does it follow from them?`;
}

function contentOf(id: string, cited: readonly Observation[]): string {
  return cited.find((observation) => observation.id === id)?.content ?? "";
}

function unsupportedClaims(
  said: readonly ReturnType<typeof findClaims>[],
  sources: Sources,
): readonly Issue[] {
  const dates = said.flatMap((claims) => claims.dates).filter((date) => !sources.holdsDate(date));
  const ids = said.flatMap((claims) => claims.ids).filter((id) => !sources.holdsId(id));
  const quotes = said
    .flatMap((claims) => claims.quotes)
    .filter((quote) => !sources.holdsQuote(quote));
  const details = [
    ...dates.map(({ text }) => `The date "${text}"`),
    ...ids.map((id) => `"${id}"`),
    ...quotes.map((quote) => `The quotation "${excerpt(quote)}"`),
  ];
  return [...new Set(details)].map((subject) =>
    unsupported(
      `${subject} stands in no cited observation and not in the task.`,
      "Look it up and cite the observation that shows it, or take it out of the answer.",
    ),
  );
}

function unsupported(detail: string, requiredAction: string): Issue {
  return { kind: "unsupported-claim", detail, requiredAction, needs: "evidence" };
}
