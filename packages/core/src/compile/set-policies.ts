import type { Effect } from "../contracts/tool.ts";
import type { PoliciesByEffect, StageSet, ToolEntry, ToolPolicy } from "../program/program.ts";
import type { NamedEntry } from "../spec/document/named-entries.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";

/**
 * Makes the policies of a set's tools, one for each effect that they may have. What contradicts an effect is told where it
 * contradicts every one: `cache` holds for the tools that read, and for the others there is none.
 */
export function policiesByEffect(
  known: Effect | undefined,
  make: (effect: Effect, diagnostics: Diagnostics) => ToolPolicy,
  diagnostics: Diagnostics,
): PoliciesByEffect {
  if (known !== undefined) {
    const policy = make(known, diagnostics);
    return { read: policy, idempotent: policy, once: policy };
  }
  const found: Diagnostic[] = [];
  const of = (effect: Effect): ToolPolicy => {
    const own = new Diagnostics();
    const policy = make(effect, own);
    found.push(...own.items);
    return policy;
  };
  const policies = {
    read: of("read"),
    idempotent: of("idempotent"),
    once: withoutRetry(of("once")),
  };
  tell(found, diagnostics);
  return policies;
}

/** Lays what a stage says over each policy of a set. */
export function tightenSet(
  policies: PoliciesByEffect,
  tighten: (base: ToolPolicy, diagnostics: Diagnostics) => ToolPolicy,
  diagnostics: Diagnostics,
): PoliciesByEffect {
  const known = policies.read === policies.once ? policies.read.effect : undefined;
  return policiesByEffect(known, (effect, own) => tighten(policies[effect], own), diagnostics);
}

/** Whether a stage that may only read has any use for a set. */
export function mayRead({ policies, policy }: ToolEntry): boolean {
  return (policies?.read ?? policy).effect === "read";
}

/** The tools that a stage names, and what it says of sets that it tightens. */
export interface SaidOfSets {
  readonly names: readonly string[];
  readonly tightened?: ReadonlyMap<string, PoliciesByEffect>;
}

/** The sets among a stage's tools; where it says nothing, or only that it reads, it gets only what reads of a set. */
export function stageSets(
  { names, tightened }: SaidOfSets,
  { node, isSampled }: { readonly node: SpecNode | undefined; readonly isSampled: boolean },
  tools: ReadonlyMap<string, ToolEntry>,
): ReadonlyMap<string, StageSet> {
  const saysRead = node?.kind === "scalar" && node.value === "read";
  const isReadOnly = node === undefined ? isSampled : saysRead;
  const sets = names.filter((name) => tools.get(name)?.policies !== undefined);
  return new Map(
    sets.map((name) => {
      const policies = tightened?.get(name);
      return [name, { isReadOnly, ...(policies === undefined ? {} : { policies }) }];
    }),
  );
}

/** Reports a fallback that names a set or one of its tools: what a set lists is not known before a run. */
export function reportFallbackToSet(
  entries: readonly NamedEntry[],
  tools: ReadonlyMap<string, ToolEntry>,
  diagnostics: Diagnostics,
): void {
  for (const said of entries) {
    const at = entry(said.body, "fallback");
    if (at?.kind !== "scalar") continue;
    const text = String(at.value);
    const named = tools.get(/^([\w-]+)(?:\/[\w./:-]+)?$/u.exec(text)?.[1] ?? "");
    if (named?.policies === undefined) continue;
    const message = `\`${text}\` can't stand in for \`${said.name}\`: which tools \`${named.name}\` has is known at run time only`;
    diagnostics.error("LW-TOOL-FALLBACK", at, message, "name one tool of `tools`, or write a text");
  }
}

const OF_ONE_EFFECT: ReadonlySet<string> = new Set(["LW-TOOL-EFFECT", "LW-TOOL-POLICY"]);

function tell(found: readonly Diagnostic[], diagnostics: Diagnostics): void {
  const counts = new Map<string, { readonly first: Diagnostic; count: number }>();
  for (const one of found) {
    const key = `${one.code} ${one.line} ${one.column}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { first: one, count: 1 });
    else known.count += 1;
  }
  for (const { first, count } of counts.values())
    if (count === 3 || !OF_ONE_EFFECT.has(first.code)) diagnostics.add(first);
}

function withoutRetry(policy: ToolPolicy): ToolPolicy {
  const { retry: _, ...rest } = policy;
  return rest;
}
