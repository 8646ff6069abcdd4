import type { EventData, EventEnvelope, Issue, Json, Lesson } from "@loopwright/core/plugin";
import { formatCount, formatDuration, formatUsd, tokensOf } from "./amounts.ts";
import { compact, compactArguments } from "./compact.ts";
import type { Item, Level, Note } from "./note.ts";
import { aside } from "./note.ts";

/** What a model thinks before it acts. */
export function thoughtNote(text: string): Note {
  return { label: "thought", tone: "quiet", text, maxLines: 4 };
}

/** A tool that is called, with its arguments. */
export function actionNote({ tool, arguments: text }: EventData["tool-call.start"]): Note {
  const given = compactArguments(text);
  return {
    label: "action",
    tone: "act",
    text: `${tool}  ${given}`.trim(),
    textTone: "act",
    maxLines: 2,
  };
}

/** What a tool gave back, by the id that answers cite; `actions` are the tools called just before. */
export function observationNote(
  { id, tool, input, content, ok, degraded, notes = [] }: EventData["observation.recorded"],
  actions: readonly string[],
): Note {
  const sameCount = actions.filter((name) => name === tool).length;
  const call = sameCount > 1 ? `${tool} (${compact(input)})` : tool;
  const isPlain = actions.length === 1 && sameCount === 1;
  const origin = [isPlain ? "" : call, degraded ? "stand-in" : ""].filter(Boolean).join(", ");
  const text = content.trim() === "" ? "(nothing)" : content.trimStart();
  return {
    label: ok ? "observed" : "failed",
    tone: ok ? "quiet" : "warning",
    text: `[${id}] ${origin === "" ? "" : `${origin}: `}${text}`,
    maxLines: 3,
    items: notes.map((note) => ({ mark: "·", text: note, tone: "quiet" as const })),
  };
}

/** A draft of the answer; the last one is told in full when the run ends. A stage that takes over another's says whose. */
export function answerNote(
  label: string,
  { stage, data }: EventEnvelope<"answer.given" | "answer.revised">,
): Note {
  const { text, value, evidence, solvable, by } = data;
  const said = text.trim() === "" ? compactUnlessEmpty(value) : text;
  const remarks = [
    ...(evidence.length > 0 ? [`rests on ${evidence.map((id) => `[${id}]`).join(" ")}`] : []),
    ...(stage === "" || by === stage ? [] : [`by ${by}`]),
  ];
  return {
    label,
    tone: "heading",
    text: solvable ? said : `not solvable: ${said}`,
    maxLines: 3,
    items: remarks.map((remark) => ({ mark: "·", text: remark, tone: "quiet" })),
  };
}

/** A judgement, with what is wrong and what mends it. */
export function verdictNote(data: EventData["verdict.given"], level: Level): Note {
  const tones = { pass: "good", revise: "warning", fail: "bad" } as const;
  const count = data.issues.length;
  const issues = count === 0 ? "" : `, ${count} ${count === 1 ? "issue" : "issues"}`;
  const unchecked = level === "verbose" ? (data.unchecked ?? []) : [];
  return {
    label: "verdict",
    tone: tones[data.outcome],
    text: `${data.outcome}${issues}`,
    textTone: tones[data.outcome],
    maxLines: 1,
    items: [
      ...data.issues.flatMap(issueItems),
      ...unchecked.map((text) => ({
        mark: "·",
        text: `unchecked: ${text}`,
        tone: "quiet" as const,
      })),
    ],
  };
}

/** Lessons that come back from a memory. */
export function recalledNote({ memory, lessons }: EventData["lessons.recalled"]): Note | undefined {
  if (lessons.length === 0) return undefined;
  return {
    label: "recalled",
    tone: "lesson",
    text: `${lessons.length} ${lessons.length === 1 ? "lesson" : "lessons"} from ${memory}`,
    maxLines: 1,
    items: lessons.map((lesson) => ({ mark: "·", text: lessonText(lesson) })),
  };
}

/** A lesson that a memory keeps from now on. */
export function learnedNote({ lesson }: EventData["lesson.learned"]): Note {
  const items: Item[] = lesson.avoid === "" ? [] : [{ mark: "·", text: `avoid: ${lesson.avoid}` }];
  return { label: "learned", tone: "lesson", text: lessonText(lesson), maxLines: 4, items };
}

/** How samples voted. */
export function voteNote(data: EventData["vote.counted"]): Note {
  const uncounted = data.samples - data.counted;
  return {
    label: "vote",
    tone: "act",
    text: data.winner,
    maxLines: 2,
    items: [
      ...data.votes.map(({ answer, count }) => ({
        mark: `${count}×`,
        text: answer,
        ...(answer === data.winner ? {} : { tone: "quiet" as const }),
      })),
      ...(uncounted > 0
        ? [{ mark: `${uncounted}×`, text: "(no usable answer)", tone: "warning" as const }]
        : []),
    ],
  };
}

/** What one model call took, for the curious. */
export function callNote(data: EventData["model-call.end"]): Note {
  const tokens = tokensOf(data.usage);
  const parts = [
    data.model,
    formatDuration(data.durationMs),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
    ...(data.usage.cacheRead > 0 ? [`${formatCount(data.usage.cacheRead)} from cache`] : []),
    ...(data.usd > 0 ? [formatUsd(data.usd)] : []),
    ...(data.outcome === "done" ? [] : [data.outcome]),
  ];
  return aside("call", parts.join(" · "));
}

/** What one tool call took, for the curious. */
export function toolNote(data: EventData["tool-call.end"]): Note {
  const parts = [
    data.tool,
    formatDuration(data.durationMs),
    ...(data.cached ? ["from cache"] : []),
    ...(data.outcome === "done" ? [] : [data.outcome]),
    ...(data.fault === undefined ? [] : [data.fault.message]),
  ];
  return aside("took", parts.join(" · "));
}

function issueItems({ kind, detail, requiredAction, needs }: Issue): readonly Item[] {
  const action = requiredAction === "" ? "" : `: ${requiredAction}`;
  return [
    { mark: "·", text: `${kind}: ${detail}` },
    { mark: "→", text: `needs ${needs}${action}`, tone: "quiet" },
  ];
}

function lessonText({ trigger, lesson }: Lesson): string {
  return trigger === "" ? lesson : `${trigger} → ${lesson}`;
}

function compactUnlessEmpty(value: Json): string {
  return value === null ? "(empty)" : compact(value);
}
