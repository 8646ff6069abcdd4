import type { ConstraintLayer } from "../contracts/provider.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { CallPolicy } from "../program/program.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { type OptionsContext, type OptionsOwner } from "../spec/document/options-context.ts";
import { openReader, readOptions, readValue } from "../spec/document/read-options.ts";
import { readRate } from "../spec/document/read-rate.ts";
import { modelBreakerSchema, standardCalls, timeoutSchema } from "../spec/document/spec-schemas.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { readRetry, type RetryForm } from "./read-retry.ts";

/** The keys of a model that say how it is called and that are read apart. */
export const callKeys: readonly string[] = [
  "timeout",
  "retry",
  "breaker",
  "rateLimit",
  "tokenRate",
];

const retryForm: RetryForm = {
  firstMs: standardCalls.retry.firstMs,
  maxMs: standardCalls.retry.maxMs,
  contradiction: "LW-MODEL-CALLS",
};

/** Reads how a model is called; `maxParallel` was read with its plain keys. */
export function readCalls(
  body: MapNode,
  maxParallel: Json | undefined,
  options: OptionsContext,
): CallPolicy {
  const { diagnostics } = options;
  const rateOf = (key: "rateLimit" | "tokenRate"): Pick<CallPolicy, typeof key> => {
    const node = entry(body, key);
    const rate = node === undefined ? undefined : readRate(node, diagnostics);
    return rate === undefined ? {} : { [key]: rate };
  };
  return {
    timeout: readTimeout(entry(body, "timeout"), options),
    retry: readRetry(entry(body, "retry"), options, retryForm) ?? standardCalls.retry,
    ...readBreaker(entry(body, "breaker"), options),
    ...rateOf("rateLimit"),
    ...rateOf("tokenRate"),
    ...(typeof maxParallel === "number" ? { maxParallel } : {}),
  };
}

type Timeouts = Partial<Readonly<Record<"total" | "first" | "idle", number>>>;

function readTimeout(node: SpecNode | undefined, options: OptionsContext): CallPolicy["timeout"] {
  if (node === undefined) return standardCalls.timeout;
  const owner = ownerOf("timeout");
  const total = propertiesOf(timeoutSchema).get("total") as JsonSchema;
  const said = (
    node.kind === "map"
      ? readOptions(node, timeoutSchema, owner, options).value
      : { total: readValue(node, total, "", openReader(owner, options)) }
  ) as Timeouts;
  if (node.kind === "map") reportUnreached(node, said, options);
  const { totalMs, firstMs, idleMs } = standardCalls.timeout;
  return {
    totalMs: said.total ?? totalMs,
    firstMs: said.first ?? firstMs,
    idleMs: said.idle ?? idleMs,
  };
}

/** Reports a time that is over only after the whole call is. */
function reportUnreached(
  node: MapNode,
  { total = Number.POSITIVE_INFINITY, ...parts }: Timeouts,
  { diagnostics }: OptionsContext,
): void {
  for (const key of ["first", "idle"] as const) {
    const at = entry(node, key);
    const ms = parts[key] ?? 0;
    if (at === undefined || ms <= total) continue;
    const message = `\`timeout.${key}\`, ${durationText(ms)}, is longer than the ${durationText(total)} of the whole reply, so it never counts`;
    const repair = `write a \`${key}\` of at most ${durationText(total)}, or raise \`total\``;
    diagnostics.error("LW-MODEL-CALLS", at, message, repair);
  }
}

function readBreaker(
  node: SpecNode | undefined,
  options: OptionsContext,
): Pick<CallPolicy, "breaker"> {
  if (node === undefined) return { breaker: standardCalls.breaker };
  if (node.kind === "map") {
    const { failures, rest } = readOptions(node, modelBreakerSchema, ownerOf("breaker"), options)
      .value as { readonly failures?: number; readonly rest?: number };
    return failures === undefined || rest === undefined
      ? {}
      : { breaker: { failures, restMs: rest } };
  }
  const isNone = node.kind === "scalar" && (node.value === "none" || node.isUnset === true);
  if (!isNone) {
    const message = `\`breaker\` is { failures, rest } or none, not ${shownValue(node)}`;
    const repair = "write `breaker: { failures: 5, rest: 30s }`, or `breaker: none`";
    options.diagnostics.error("LW-VALUE-TYPE", node, message, repair);
  }
  return {};
}

function ownerOf(name: string): OptionsOwner {
  return { name, unknownCode: "LW-SPEC-UNKNOWN-KEY", missingCode: "LW-SPEC-MISSING-KEY" };
}

/** How a model is called, as plain data, in the words of a spec; times in milliseconds. */
export function callsContent(
  calls: CallPolicy,
  structured: ConstraintLayer | undefined,
): JsonObject {
  const { breaker, rateLimit, tokenRate, maxParallel } = calls;
  return {
    timeout: { ...calls.timeout },
    retry: { ...calls.retry },
    breaker: breaker === undefined ? "none" : { ...breaker },
    ...(rateLimit === undefined ? {} : { rateLimit: { ...rateLimit } }),
    ...(tokenRate === undefined ? {} : { tokenRate: { ...tokenRate } }),
    ...(maxParallel === undefined ? {} : { maxParallel }),
    ...(structured === undefined ? {} : { structured }),
  };
}
