import type { Effect, ToolDefinition } from "../contracts/tool.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import { only } from "../spec/document/named-entries.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readExpression } from "../spec/document/read-expression.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readRate } from "../spec/document/read-rate.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { policyKeys, policySchema, toolLimitsSchema } from "../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { Expression } from "../spec/text/expression.ts";
import type { ObjectShape } from "../spec/text/shape.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { ToolPolicy } from "../program/program.ts";
import { compileLimits } from "./compile-limits.ts";
import { readRetry, toolRetry } from "./read-retry.ts";

/** What one level of the spec says about a tool's policy, and where. */
export interface PolicyLevel {
  readonly said: Partial<Omit<ToolPolicy, "effect">>;
  readonly node: MapNode;
}

/** The policy of a tool before the spec says anything: what fits its effect, and over it what its definition proposes. */
export function pluginPolicy(
  { effect: declared, policy = {} }: Pick<ToolDefinition, "effect" | "policy">,
  effect: Effect = declared,
): ToolPolicy {
  const { retry, cacheMs = 0, ...same } = policy;
  const attempts = retry?.attempts ?? toolRetry.attempts;
  const mayRetry = effect !== "once" && attempts > 1;
  return {
    effect,
    approval: effect === "once" ? "always" : "never",
    timeoutMs: 30_000,
    maxResult: 6_000,
    repeat: 3,
    ...same,
    cacheMs: effect === "read" ? cacheMs : 0,
    ...(mayRetry
      ? {
          retry: {
            attempts,
            firstMs: retry?.firstMs ?? toolRetry.firstMs,
            maxMs: retry?.maxMs ?? toolRetry.maxMs,
          },
        }
      : {}),
  };
}

/** Reads the policy keys of a map; `shape` is what its expressions see. */
export function readPolicyLevel(
  node: MapNode,
  shape: ObjectShape,
  toolNames: readonly string[],
  context: OptionsContext,
): PolicyLevel {
  const { diagnostics } = context;
  const owner = {
    name: "policy",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const plain = readOptions(only(node, plainKeys), policySchema, owner, context).value;
  const rate = entry(node, "rateLimit");
  const said = {
    approval: readApproval(entry(node, "approval"), shape, diagnostics),
    deny: readDeny(entry(node, "deny"), shape, diagnostics),
    retry: readRetry(entry(node, "retry"), context),
    rateLimit: rate === undefined ? undefined : readRate(rate, diagnostics),
    limits: node.entries.has("limits")
      ? compileLimits(entry(node, "limits"), context, toolLimitsSchema)
      : undefined,
    ...plainPolicy(plain, toolNames),
  };
  reportClash(node, plain, diagnostics);
  return { node, said: withoutMissing(said) };
}

/** A policy level whose keys may be there without a value. */
type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

interface PlainPolicy {
  readonly timeout?: number;
  readonly cache?: number;
  readonly maxResult?: number;
  readonly fallback?: string;
  readonly repeat?: number;
  readonly breaker?: { readonly failures?: number; readonly rest?: number };
  readonly coolDown?: number;
  readonly polls?: boolean;
  readonly maxParallel?: number;
  readonly expires?: number;
  readonly reason?: string;
}

const plainKeys: readonly string[] = [...propertiesOf(policySchema).keys()];

function plainPolicy(plain: PlainPolicy, toolNames: readonly string[]): Loose<ToolPolicy> {
  const { timeout, cache, expires, fallback, breaker, ...same } = plain;
  const { failures, rest } = breaker ?? {};
  return {
    ...same,
    timeoutMs: timeout,
    cacheMs: cache,
    expiresMs: expires,
    ...(fallback === undefined
      ? {}
      : { fallback: toolNames.includes(fallback) ? { tool: fallback } : { text: fallback } }),
    ...(failures === undefined || rest === undefined
      ? {}
      : { breaker: { failures, restMs: rest } }),
  };
}

function withoutMissing(said: Loose<Omit<ToolPolicy, "effect">>): PolicyLevel["said"] {
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined),
  ) as PolicyLevel["said"];
}

// Both at one level: what one says, the other takes back.
function reportClash(node: MapNode, plain: PlainPolicy, diagnostics: Diagnostics): void {
  const repeat = node.entries.get("repeat");
  if (plain.polls !== true || repeat === undefined) return;
  const message =
    "`polls: true` lets the same call be made again and again; `repeat` bounds just that";
  diagnostics.error("LW-TOOL-POLICY", repeat.key, message, "delete `polls` or `repeat`");
}

/** Reports keys of a policy that are none. */
export function reportUnknownPolicies(node: MapNode, diagnostics: Diagnostics): void {
  for (const [key, { key: at }] of node.entries) {
    if (policyKeys.includes(key)) continue;
    const repair = didYouMean(key, policyKeys) ?? `known: ${policyKeys.join(", ")}`;
    diagnostics.error("LW-SPEC-UNKNOWN-KEY", at, `a tool policy has no \`${key}\``, repair);
  }
}

function readApproval(
  node: SpecNode | undefined,
  shape: ObjectShape,
  diagnostics: Diagnostics,
): ToolPolicy["approval"] | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "scalar" && (node.value === "never" || node.value === "always"))
    return node.value;
  if (node.kind === "map") {
    const when = readWhen(node, shape, diagnostics);
    return when === undefined ? undefined : { when };
  }
  const near =
    node.kind === "scalar" ? didYouMean(String(node.value), ["never", "always"]) : undefined;
  const message = `\`${labelOf(node)}\` is never, always, or { when: ... }; it is ${shownValue(node)}`;
  const repair = `write \`${labelOf(node)}: always\``;
  diagnostics.error("LW-VALUE-CHOICE", node, message, near ?? repair);
  return undefined;
}

function readDeny(
  node: SpecNode | undefined,
  shape: ObjectShape,
  diagnostics: Diagnostics,
): Expression | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "map") return readWhen(node, shape, diagnostics);
  diagnostics.error(
    "LW-VALUE-MAP-EXPECTED",
    node,
    `\`deny\` is { when: ... }, not ${shownValue(node)}`,
    node.kind === "scalar"
      ? `write \`deny: { when: ${node.text} }\``
      : "write `deny: { when: ... }`",
  );
  return undefined;
}

function readWhen(
  node: MapNode,
  shape: ObjectShape,
  diagnostics: Diagnostics,
): Expression | undefined {
  for (const [key, { key: at }] of node.entries) {
    if (key === "when") continue;
    diagnostics.error(
      "LW-SPEC-UNKNOWN-KEY",
      at,
      `\`${labelOf(node)}\` has no \`${key}\``,
      didYouMean(key, ["when"]) ?? "known: when",
    );
  }
  const when = entry(node, "when");
  if (when !== undefined) return readExpression(when, shape, "bool", diagnostics);
  diagnostics.error(
    "LW-SPEC-MISSING-KEY",
    node,
    `\`${labelOf(node)}\` needs \`when\`: an expression`,
    `write \`${labelOf(node)}: { when: ... }\``,
  );
  return undefined;
}
