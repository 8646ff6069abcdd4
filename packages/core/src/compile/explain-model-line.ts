import { durationText } from "../spec/text/duration-text.ts";
import type { ExplainedForm, ExplainedModel } from "./explain-tree.ts";

const SHOWN_PARTS = 8;

/** A model with its stand-ins, how it is called and how it is asked for the declared output, in one line. */
export function explainModelLine(model: ExplainedModel): string {
  const { id, role, fallback, hasPrice, output } = model;
  const name = role === "" ? id : `${role}: ${id}`;
  const others = fallback.length === 0 ? "" : `, then ${fallback.join(", then ")}`;
  return `${name}${others}${hasPrice ? "" : " (no price)"}: ${callParts(model).join(", ")}${output === undefined ? "" : formText(output)}`;
}

function callParts({ calls, structured, profile, isChanged }: ExplainedModel): readonly string[] {
  const { timeout, retry, breaker, rateLimit, tokenRate, maxParallel } = calls;
  const rate = (count: number, perMs: number): string => `${count}/${durationText(perMs)}`;
  return [
    isChanged ? `profile ${profile} with changes` : "",
    `timeout ${durationText(timeout.totalMs)}`,
    retry.attempts === 1
      ? "no retry"
      : `retry ${retry.attempts} after ${durationText(retry.firstMs)} to ${durationText(retry.maxMs)}`,
    breaker === undefined
      ? "no breaker"
      : `rests ${durationText(breaker.restMs)} after ${breaker.failures} failures`,
    rateLimit === undefined ? "" : `rate ${rate(rateLimit.count, rateLimit.perMs)}`,
    tokenRate === undefined ? "" : `tokens ${rate(tokenRate.count, tokenRate.perMs)}`,
    maxParallel === undefined ? "" : `at most ${maxParallel} at a time`,
    structured === undefined ? "" : `structured ${structured}`,
  ].filter((part) => part !== "");
}

function formText({ layer, dialect, inWords = [], why, besideTools }: ExplainedForm): string {
  const shown = inWords.slice(0, SHOWN_PARTS);
  const others = inWords.length - shown.length;
  const words =
    layer === "json-mode"
      ? "the schema in words only"
      : shown.length === 0
        ? ""
        : `in words only: ${shown.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  const parts = [
    `output: ${layer}${dialect === undefined ? "" : ` (${dialect})`}`,
    words,
    why ?? "",
    besideTools === undefined ? "" : `beside tools: ${besideTools}`,
  ];
  return parts
    .filter((part) => part !== "")
    .map((part) => `; ${part}`)
    .join("");
}
