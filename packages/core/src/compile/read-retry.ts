import type { ToolPolicy } from "../program/program.ts";
import { shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readNumber } from "../spec/document/read-scalar.ts";
import { retrySchema } from "../spec/document/spec-schemas.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { durationText } from "../spec/text/duration-text.ts";

/** What `retry` means where a spec leaves something out, and the code of waits that contradict each other. */
export interface RetryForm {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly contradiction: DiagnosticCode;
}

/** How a call of a tool is tried again where neither its definition nor the spec says it. */
export const toolRetry: RetryForm & { readonly attempts: number } = {
  attempts: 3,
  firstMs: 1_000,
  maxMs: 10_000,
  contradiction: "LW-TOOL-POLICY",
};

/** Reads `retry`, of a tool unless said otherwise: attempts in all, or `{ attempts, first, max }` with the waits between them. */
export function readRetry(
  node: SpecNode | undefined,
  context: OptionsContext,
  { firstMs, maxMs, contradiction }: RetryForm = toolRetry,
): ToolPolicy["retry"] | undefined {
  const { diagnostics } = context;
  if (node === undefined) return undefined;
  if (node.kind === "list") {
    const message = `\`retry\` is a count of attempts, or { attempts, first, max }, not ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-TYPE", node, message, "write `retry: 3`");
    return undefined;
  }
  if (node.kind === "scalar") {
    const attempts = readNumber(node, { type: "integer", minimum: 1, maximum: 10 }, diagnostics);
    return attempts === undefined ? undefined : { attempts, firstMs, maxMs };
  }
  const owner = {
    name: "retry",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const { attempts, first, max } = readOptions(node, retrySchema, owner, context).value as Partial<
    Record<"attempts" | "first" | "max", number>
  >;
  if (attempts === undefined) return undefined;
  if (first !== undefined && max !== undefined && first > max) {
    const message = `the first wait, ${durationText(first)}, is longer than the longest, ${durationText(max)}`;
    const repair =
      max > 0
        ? `write a \`first\` of at most ${durationText(max)}`
        : `write a \`max\` of at least ${durationText(first)}`;
    diagnostics.error(contradiction, entry(node, "first") ?? node, message, repair);
    return undefined;
  }
  return {
    attempts,
    firstMs: first ?? Math.min(firstMs, max ?? firstMs),
    maxMs: max ?? Math.max(maxMs, first ?? maxMs),
  };
}
