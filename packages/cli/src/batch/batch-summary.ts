import { inFigures } from "@loopwright/core";
import { neutralize } from "../neutralize.ts";
import { shellWord } from "../shell-word.ts";
import { tableText } from "../table-text.ts";
import { moneyText, shareText } from "./amount-text.ts";
import type { BatchStop } from "./batch-runner.ts";
import { type BatchTally, failedCount, sumOf } from "./batch-tally.ts";

/** How a batch ended. */
export interface BatchEnd {
  readonly spec: string;
  readonly from: string;
  readonly to: string;
  readonly deadLetters: string;
  readonly total: number;
  /** Rows that have neither a value nor a letter. */
  readonly openCount: number;
  /** Rows that an earlier call settled and this one does not want. */
  readonly beyondCount: number;
  readonly tally: BatchTally;
  /** Whether the price of every model is known. */
  readonly isPriced: boolean;
  readonly stopped?: BatchStop;
  /** The overlay, in a comparison. */
  readonly overlay?: string;
  /** What was set over the spec, as options of a command line. */
  readonly compiling: string;
}

/** The end of a batch as `--json` prints it. */
export function summaryJson(end: BatchEnd): object {
  const { spec, to, deadLetters, total, openCount, beyondCount, tally, stopped, overlay } = end;
  const { values, unsolvable, limited, failed, misfits, repaired, fedBack } = tally;
  const { asked, replied } = tally;
  const { modelCalls, tokensIn, tokensOut, usd } = tally;
  return {
    ...(overlay === undefined ? {} : { overlay }),
    spec,
    to,
    deadLetters,
    rows: {
      total,
      values,
      unsolvable,
      limited,
      failed: failedCount(tally),
      open: openCount,
      ...(beyondCount === 0 ? {} : { beyond: beyondCount }),
    },
    failedByCode: failed,
    firstReplies: { asked, replied, misfits: sumOf(misfits), byCode: misfits, repaired, fedBack },
    spending: { modelCalls, tokensIn, tokensOut, usd },
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** The end of a batch as a person reads it. */
export function summaryText(end: BatchEnd): string {
  const { to, total, openCount, beyondCount, tally, stopped } = end;
  const money = spentText(end);
  const failed = failedCount(tally);
  const lines = [
    `${rows(total)}: ${valuesText(tally)}${failed === 0 ? "" : `, ${failed} without one`}${openCount === 0 ? "" : `, ${inFigures(openCount)} still to run`}`,
    `  values in ${to}`,
    ...(beyondCount === 0
      ? []
      : [
          `  not counted: ${rows(beyondCount)} behind the last one here, settled before; in calls and money they are`,
        ]),
    ...(failed === 0 ? [] : [`  failed: ${codesText(tally.failed)}`]),
    misfitsText(tally),
    `model calls ${inFigures(tally.modelCalls)} · tokens ${inFigures(tally.tokensIn)} in, ${inFigures(tally.tokensOut)} out · ${money}`,
    ...(stopped === undefined ? [] : [stopText(stopped)]),
    ...(failed === 0 ? [] : lettersText(end)),
  ];
  return `${lines.map(neutralize).join("\n")}\n`;
}

function spentText({ tally, isPriced }: BatchEnd): string {
  if (isPriced) return moneyText(tally.usd);
  return tally.usd > 0 ? `${moneyText(tally.usd)}, not all prices are known` : "no price is known";
}

function rows(count: number): string {
  return `${inFigures(count)} ${count === 1 ? "row" : "rows"}`;
}

function valuesText({ values, unsolvable, limited }: BatchTally): string {
  const of = [
    ...(unsolvable > 0 ? [`${inFigures(unsolvable)} say that there is no solution`] : []),
    ...(limited > 0 ? [`${inFigures(limited)} met a limit`] : []),
  ];
  return `${inFigures(values)} with a value${of.length === 0 ? "" : ` (${of.join(", ")})`}`;
}

function misfitsText({ misfits, asked, replied, repaired, fedBack }: BatchTally): string {
  const count = sumOf(misfits);
  const mute = asked - replied;
  const share = `${inFigures(count)} of ${inFigures(replied)} (${shareText(count, replied)})`;
  const none = mute <= 0 ? "" : `; ${rows(mute)} got no reply at all`;
  const codes = `${count === 0 ? "" : `: ${codesText(misfits)}`}${none}`;
  return `first replies that did not fit: ${share}${codes}\n  mended by feeding back ${inFigures(fedBack)} · mended without a call ${inFigures(repaired)}`;
}

function codesText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${inFigures(count)}`)
    .join(", ");
}

function stopText({ why, message }: BatchStop): string {
  const cure = "the same command goes on where it stopped";
  if (why === "interrupt") return `stopped: ${message}; ${cure}`;
  if (why === "endpoint")
    return `stopped: ${message}; mend it, then the same command with --retry-failed goes on`;
  return `stopped: ${message}; ${cure}, with a higher limit`;
}

function lettersText({ from, deadLetters, tally, compiling }: BatchEnd): readonly string[] {
  const file = shellWord(deadLetters);
  const unread = tally.failed["input-invalid"] ?? 0;
  const isRetriable = failedCount(tally) > unread;
  return [
    `dead letters in ${deadLetters}`,
    `  see them:   loopwright dead-letters list ${file}`,
    ...(isRetriable
      ? [`  try again:  loopwright dead-letters retry --all ${file}${compiling}`]
      : []),
    ...(unread > 0
      ? [
          `  mend:       ${rows(unread)} of ${from} can't be read as inputs; then the same command with --retry-failed`,
        ]
      : []),
  ];
}

/** Batches over the same rows, one line each. */
export function comparisonText(ends: readonly BatchEnd[]): string {
  const head = [
    "OVERLAY",
    "ROWS",
    "FIRST REPLY UNFIT",
    "MENDED AS IT IS",
    "MENDED FED BACK",
    "DEAD LETTERS",
    "CALLS",
    "MONEY",
  ];
  const lines = ends.map((end) => {
    const { overlay = "", total, tally } = end;
    const unfit = sumOf(tally.misfits);
    return [
      overlay,
      String(total),
      `${unfit} (${shareText(unfit, tally.replied)})`,
      String(tally.repaired),
      String(tally.fedBack),
      String(failedCount(tally)),
      String(tally.modelCalls),
      spentText(end),
    ];
  });
  const codes = ends.map(
    ({ overlay = "", tally }) => `  ${overlay}: ${codesText(tally.misfits) || "none"}\n`,
  );
  return `${tableText([head, ...lines])}\nfirst replies that did not fit, by code\n${neutralize(codes.join(""))}`;
}
