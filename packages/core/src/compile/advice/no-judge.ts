import type { CompiledStage, TaskTemplate } from "../../program/program.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { Template } from "../../spec/text/template.ts";
import { allStages, placeOf } from "../flow/flow-context.ts";
import { checksOf } from "../flow/state-reads.ts";
import { type AdviceParts, settingOf } from "./advice-parts.ts";

/** Warns of constraints that a check leaves to the judge in a program in which no model judges: nobody looks at them. */
export function adviseNoJudge(parts: AdviceParts, diagnostics: Diagnostics): void {
  const { strategy, task, checks } = parts.draft;
  const judging = allStages(strategy).filter(givesVerdict);
  if (judging.some(({ noModel }) => !noModel)) return;
  for (const stage of judging) {
    const readers = checksOf(stage, checks).filter(
      ({ definition }) => definition.isLeftToJudge !== undefined,
    );
    if (readers.length === 0) continue;
    const left = task.constraints.filter((constraint) => {
      const said = plainOf(constraint);
      return (
        said !== undefined && readers.every(({ definition }) => definition.isLeftToJudge?.(said))
      );
    });
    if (left.length === 0) continue;
    const [is, they] = left.length === 1 ? ["constraint has", "it"] : ["constraints have", "them"];
    diagnostics.warn(
      "LW-MODEL-NO-JUDGE",
      settingOf(parts, stage, "model") ?? placeOf(stage),
      `${left.length} ${is} no rule, and \`${stage.id}\` has no judge: nobody looks at ${they}, and the answer is never verified`,
      `give ${left.length === 1 ? "it a `rule`" : "each of them a `rule`"}, or \`${stage.id}\` a model that judges: \`model: { judge: provider/name }\``,
    );
  }
}

function givesVerdict({ flow }: CompiledStage): boolean {
  return [flow.sets, flow.maySet].some((fields) => fields?.includes("verdict") === true);
}

/** A constraint as it stands; undefined where inputs decide what it says. */
function plainOf({
  text,
  rule,
}: TaskTemplate["constraints"][number]):
  | { readonly text: string; readonly rule?: string }
  | undefined {
  const said = textOf(text);
  if (said === undefined) return undefined;
  return rule === undefined ? { text: said } : { text: said, rule: rule.source };
}

function textOf({ parts }: Template): string | undefined {
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("") : undefined;
}
