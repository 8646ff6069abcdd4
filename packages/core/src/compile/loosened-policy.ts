import type { Limits, ToolPolicy } from "../program/program.ts";
import { LIMIT_KEYS } from "./compile-limits.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { amountOf } from "./limit-text.ts";
import type { PolicyLevel } from "./tool-policy.ts";

/** A policy that a stage would loosen, and what it was and would be, in words. */
export interface Loosened {
  readonly key: string;
  /** The key inside, where the policy is a map. */
  readonly part?: string;
  readonly was: string;
  readonly is: string;
}

type Said = PolicyLevel["said"];

const plain = String;

/** Policies that bound from above: a stage may name less. */
const ceilings: readonly (readonly [
  key: string,
  read: (policy: Said) => number | undefined,
  words: (value: number) => string,
])[] = [
  ["timeout", (policy) => policy.timeoutMs, durationText],
  ["cache", (policy) => policy.cacheMs, durationText],
  ["maxResult", (policy) => policy.maxResult, plain],
  ["repeat", (policy) => policy.repeat, plain],
  ["maxParallel", (policy) => policy.maxParallel, plain],
  ["expires", (policy) => policy.expiresMs, durationText],
];

/** What a stage's level would loosen, except approval and limits. */
export function loosened(base: ToolPolicy, said: Said): readonly Loosened[] {
  const above = ceilings.flatMap(([key, read, words]): Loosened[] => {
    const [was, is] = [read(base), read(said)];
    return was !== undefined && is !== undefined && is > was
      ? [{ key, was: words(was), is: words(is) }]
      : [];
  });
  return [
    ...above,
    ...moreAttempts(base, said),
    ...higherRate(base, said),
    ...laterBreak(base, said),
    ...shorterCoolDown(base, said),
    ...(said.polls === true && base.polls !== true
      ? [{ key: "polls", was: "`false`", is: "`true`" }]
      : []),
  ];
}

/** The limits that a stage's level would raise. */
export function loosenedLimits(base: ToolPolicy, said: Said): readonly Loosened[] {
  const before: Limits = base.limits ?? {};
  return LIMIT_KEYS.flatMap(([part, field]): Loosened[] => {
    const [was, is] = [before[field], said.limits?.[field]];
    return was !== undefined && is !== undefined && is > was
      ? [{ key: "limits", part, was: amountOf(field, was), is: amountOf(field, is) }]
      : [];
  });
}

function moreAttempts(base: ToolPolicy, said: Said): readonly Loosened[] {
  const was = base.retry?.attempts ?? 1;
  const is = said.retry?.attempts ?? 0;
  return is > was
    ? [{ key: "retry", was: `${was} attempt${was === 1 ? "" : "s"}`, is: `${is} attempts` }]
    : [];
}

function higherRate(base: ToolPolicy, said: Said): readonly Loosened[] {
  const [was, is] = [base.rateLimit, said.rateLimit];
  if (was === undefined || is === undefined) return [];
  // So many whole periods of the stage's rate may fall into one of the tool's.
  const mostInOne = is.count * Math.ceil(was.perMs / is.perMs);
  return mostInOne > was.count ? [{ key: "rateLimit", was: rateText(was), is: rateText(is) }] : [];
}

function laterBreak(base: ToolPolicy, said: Said): readonly Loosened[] {
  const [was, is] = [base.breaker, said.breaker];
  if (was === undefined || is === undefined) return [];
  return [
    ...(is.failures > was.failures
      ? [{ key: "breaker", part: "failures", was: plain(was.failures), is: plain(is.failures) }]
      : []),
    ...(is.restMs < was.restMs
      ? [
          {
            key: "breaker",
            part: "rest",
            was: durationText(was.restMs),
            is: durationText(is.restMs),
          },
        ]
      : []),
  ];
}

function shorterCoolDown(base: ToolPolicy, said: Said): readonly Loosened[] {
  const [was, is] = [base.coolDown, said.coolDown];
  return was !== undefined && is !== undefined && is < was
    ? [{ key: "coolDown", was: plain(was), is: plain(is) }]
    : [];
}

function rateText({ count, perMs }: { readonly count: number; readonly perMs: number }): string {
  return `${count}/${durationText(perMs)}`;
}
