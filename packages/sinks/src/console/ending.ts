import type { EventData, Json } from "@loopwright/core/plugin";
import { formatDuration, partsOf } from "./amounts.ts";
import { compact, isRecord } from "./compact.ts";
import { columnsOf, type Setting, setField, setHeading, setText } from "./layout.ts";
import type { Tone } from "./paint.ts";
import { clip } from "./text.ts";

type End = EventData["run.end"];

const OUTCOME_TONES = { done: "good", limited: "warning", failed: "bad", aborted: "bad" } as const;
const VERIFIED = {
  pass: "verified",
  revise: "open issues remain",
  fail: "verification failed",
  stale: "changed after it was verified",
  none: "not verified",
} as const;

/** What happened in a run that its end does not hold. */
export interface EndingRemarks {
  readonly isEstimated?: boolean;
  /** Items of lists that failed while others went on. */
  readonly failedItems?: readonly string[];
}

/** The end of a run: outcome, what failed on the way, why, the answer in full, what it took, and whether that is an estimate. */
export function setEnding(
  end: End,
  setting: Setting,
  { isEstimated = false, failedItems = [] }: EndingRemarks = {},
): readonly string[] {
  const { paint } = setting;
  const isSound = end.outcome === "done" && end.verified === "pass";
  const mark = isSound ? "✓" : { done: "●", limited: "◐", failed: "✗", aborted: "✗" }[end.outcome];
  const solved = end.answer.solvable ? [] : ["no solution"];
  const state = [VERIFIED[end.verified], ...solved].map((part) => ` · ${part}`).join("");
  const head = `${mark} ${end.outcome}`;
  const headline =
    paint(OUTCOME_TONES[end.outcome], head) +
    paint(isSound ? "good" : "quiet", clip(state, setting.columns - head.length));
  return [
    "",
    headline,
    ...[...reasonsOf(end), ...stoodOf(end), ...failedItems].flatMap((reason) =>
      setText(reason, 2, "warning", setting),
    ),
    ...setAnswer(end, setting),
    ...unsolvedOf(end).flatMap((why) => setText(why, 2, "warning", setting)),
    ...setText(
      [...partsOf(end.spending), formatDuration(end.durationMs)].join(" · "),
      2,
      "quiet",
      setting,
    ),
    ...(isEstimated ? setText(ESTIMATED, 2, "quiet", setting) : []),
  ];
}

const ESTIMATED = "tokens are estimated: an endpoint told no counts";

/** Why a run ended as it did; a reason that the fault repeats is said once, with the fault's code. */
function reasonsOf({ outcome, reason, fault }: End): readonly string[] {
  const reasons = reason === undefined || fault?.message.includes(reason) === true ? [] : [reason];
  if (fault === undefined) return reasons;
  return [...reasons, fault.message + (fault.code === outcome ? "" : ` (${fault.code})`)];
}

/** Of a run that stopped before its end, what its answer is; one that was cut short says so itself. */
function stoodOf({ outcome, reason, answer }: End): readonly string[] {
  const hasStopped = outcome === "done" && reason !== undefined && answer.solvable;
  return hasStopped && !reason.startsWith(CUT_SHORT) ? [STOOD] : [];
}

/** How core begins the reason of a run whose answer a stage gave before its work was done. */
const CUT_SHORT = "the answer was cut short";

const STOOD = "the run stopped here; the answer is what stood then";

/** Why there is no solution, unless the reason of the ending or the answer says it in the same words. */
function unsolvedOf({ answer, reason }: End): readonly string[] {
  const { solvable, unsolvableReason: why, text } = answer;
  const isSaid = why.trim() === "" || why === reason || why === text;
  return solvable || isSaid ? [] : [`no solution: ${why}`];
}

function setAnswer({ answer, outcome }: End, setting: Setting): readonly string[] {
  const body =
    isRecord(answer.value) && Object.keys(answer.value).length > 0
      ? setFields(answer.value, setting)
      : setWords(
          answer.text.trim() === "" && answer.value !== null ? compact(answer.value) : answer.text,
          setting,
        );
  if (body.length > 0) return ["", ...body, ""];
  return outcome === "done" ? setText("(no answer)", 2, "quiet", setting) : [];
}

function setWords(text: string, setting: Setting): readonly string[] {
  return text.trim() === "" ? [] : setText(text, 2, "plain", setting);
}

function setFields(value: { readonly [key: string]: Json }, setting: Setting): readonly string[] {
  const columns = columnsOf(Object.keys(value));
  return Object.entries(value).flatMap(([name, member]) =>
    setField(name, typeof member === "string" ? member : compact(member), columns, setting),
  );
}

/** The start of a run: what runs, and on what. */
export function setOpening(
  { spec, version, task, inputs }: EventData["run.start"],
  setting: Setting,
): readonly string[] {
  const words = task.trim() === "" ? [] : excerptOf(task, setting);
  const given = Object.entries(inputs).flatMap(([name, value]) =>
    setField(name, excerptOf(compact(value), setting)[0]?.trim() ?? "", 0, setting),
  );
  return [setHeading(`${spec} ${version}`.trimEnd(), 0, setting), ...words, ...given];
}

function excerptOf(text: string, setting: Setting, tone: Tone = "plain"): readonly string[] {
  const lines = setText(text.trim().slice(0, 2000), 2, tone, setting);
  return lines.length <= 4 || setting.level === "verbose" ? lines : [...lines.slice(0, 3), "  …"];
}
