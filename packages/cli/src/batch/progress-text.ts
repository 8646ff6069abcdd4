import { failedCount, type BatchTally } from "./batch-tally.ts";
import { durationText, moneyText } from "./amount-text.ts";

/** How far a batch has come. */
export interface BatchProgress {
  readonly total: number;
  /** Rows that are settled, by earlier calls too. */
  readonly done: number;
  /** Of them, those that this call settled, and how long it took. */
  readonly doneNow: number;
  readonly elapsedMs: number;
  readonly tally: BatchTally;
  /** What this call spent. */
  readonly usdNow: number;
  /** The endpoints that are waited for, and for how long. */
  readonly waiting?: { readonly models: string; readonly leftMs: number };
}

const MIN_BAR = 8;
const MAX_BAR = 24;

/** The progress as one line that is never wider than `width`: what matters less is left out first, the bar takes the rest. */
export function progressText(progress: BatchProgress, width: number): string {
  const { total, done } = progress;
  const counted = `${done}/${total}`;
  let parts = [counted];
  for (const more of details(progress)) {
    if ([...parts, more].join(" · ").length > width) break;
    parts = [...parts, more];
  }
  const text = parts.join(" · ");
  const room = Math.min(MAX_BAR, width - text.length - "[] ".length);
  if (room < MIN_BAR) return text.slice(0, Math.max(0, width));
  const filled = total === 0 ? room : Math.floor((room * Math.min(done, total)) / total);
  return `[${"#".repeat(filled)}${"-".repeat(room - filled)}] ${text}`;
}

/** What is told beside the count, what matters most first. */
function details(progress: BatchProgress): readonly string[] {
  const { total, done, doneNow, elapsedMs, tally, usdNow, waiting } = progress;
  const failed = failedCount(tally);
  const left = total - done;
  const isPaced = doneNow > 0 && elapsedMs > 0;
  return [
    ...(waiting === undefined ? [] : [waitText(waiting)]),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(isPaced && left > 0 ? [`${durationText((elapsedMs / doneNow) * left)} left`] : []),
    ...(tally.usd > 0 ? [moneyText(tally.usd) + estimate(tally.usd, usdNow, doneNow, left)] : []),
    ...(isPaced ? [`${rateText((doneNow / elapsedMs) * 60_000)}/min`] : []),
  ];
}

function waitText({ models, leftMs }: NonNullable<BatchProgress["waiting"]>): string {
  const what = models === "" ? "the endpoint" : models;
  return leftMs > 0
    ? `waits for ${what}, tried again in ${durationText(Math.max(leftMs, 1000))}`
    : `one row tries ${what}`;
}

function estimate(usd: number, usdNow: number, doneNow: number, left: number): string {
  if (doneNow === 0 || left === 0) return "";
  return ` of about ${moneyText(usd + (usdNow / doneNow) * left)}`;
}

function rateText(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : String(Math.round(rate));
}
