import { durationText } from "../spec/text/duration-text.ts";
import type { ExplainedModel } from "./explain-tree.ts";

/** A model with its stand-ins, and how it is called, in one line. */
export function explainModelLine(model: ExplainedModel): string {
  const { id, role, fallback, hasPrice } = model;
  const name = role === "" ? id : `${role}: ${id}`;
  const others = fallback.length === 0 ? "" : `, then ${fallback.join(", then ")}`;
  return `${name}${others}${hasPrice ? "" : " (no price)"}: ${callParts(model).join(", ")}`;
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
