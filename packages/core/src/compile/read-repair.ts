import { defaultRepair } from "../output/default-repair.ts";
import type { OutputDeclaration } from "../program/program.ts";
import { shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readNumber } from "../spec/document/read-scalar.ts";
import { repairCount, repairSchema } from "../spec/document/spec-schemas.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";

type Repairs = Pick<OutputDeclaration, "repair" | "checkRepair">;

/** Reads `repair`: one count for what does not fit and for what a check finds, or `{ format, checks }`. */
export function readRepair(node: SpecNode | undefined, context: OptionsContext): Repairs {
  const usual = { repair: defaultRepair, checkRepair: defaultRepair };
  const { diagnostics } = context;
  if (node === undefined) return usual;
  if (node.kind === "scalar") {
    const count = readNumber(node, repairCount, diagnostics) ?? defaultRepair;
    return { repair: count, checkRepair: count };
  }
  if (node.kind === "list") {
    const message = `\`repair\` is a count, or { format, checks }, not ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-TYPE", node, message, "write `repair: 2`");
    return usual;
  }
  const owner = {
    name: "repair",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const { format, checks } = readOptions(node, repairSchema, owner, context).value as Partial<
    Record<"format" | "checks", number>
  >;
  return { repair: format ?? defaultRepair, checkRepair: checks ?? defaultRepair };
}
