import type { CompiledStage, ModelEntry } from "../../program/program.ts";
import { markerOf, propertiesOf } from "../../spec/document/schema-parts.ts";
import { asJsonSchema } from "../../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import { checksOf } from "../flow/state-reads.ts";
import { allStages, placeOf } from "../flow/flow-context.ts";
import { spokenVoices } from "../spoken-voices.ts";
import { type AdviceParts, fansOut, settingOf, writesAnswer } from "./advice-parts.ts";

const judge = "judge";

/** Warns of an answer that only the model judges that wrote it: a model finds few of its own faults without a signal from outside. */
export function adviseSelfJudge(parts: AdviceParts, diagnostics: Diagnostics): void {
  const authors = new Set<string>();
  for (const stage of allStages(parts.draft.strategy)) {
    const judging = judgeOf(stage);
    if (judging !== undefined && isAuthor(judging, stage, authors) && !isChecked(stage, parts))
      diagnostics.warn(
        "LW-MODEL-SELF-JUDGE",
        judgePlace(parts, stage),
        `\`${stage.id}\` lets \`${judging.id}\` judge what it wrote itself, and nothing else looks at it`,
        `give the judge another model: \`model: { judge: provider/name }\`${takesChecks(stage) ? ", or add `checks: [...]`" : ""}`,
      );
    for (const id of authorsOf(stage)) authors.add(id);
  }
}

/** A stage that sets the answer judges what it and the stages inside it wrote, too; any other one what was written before. */
function isAuthor({ id }: ModelEntry, stage: CompiledStage, before: ReadonlySet<string>): boolean {
  if (before.has(id)) return true;
  if (stage.flow.sets?.includes("answer") !== true) return false;
  return allStages({ stages: [stage] }).some((inner) => authorsOf(inner).includes(id));
}

function isChecked(stage: CompiledStage, { draft }: AdviceParts): boolean {
  return checksOf(stage, draft.checks).length > 0;
}

function takesChecks({ definition }: CompiledStage): boolean {
  const schemas = propertiesOf(asJsonSchema(definition.options)).values();
  return [...schemas].some((schema) => markerOf(schema)?.kind === "checks");
}

/** The model that judges in a stage, where one does with these options. */
function judgeOf({
  definition,
  options,
  models,
  noModel,
  bounds,
  slots,
}: CompiledStage): ModelEntry | undefined {
  const voices = spokenVoices(definition, options, Object.keys(slots));
  if (noModel || bounds.generations[1] === 0 || !voices.includes(judge)) return undefined;
  return models[judge] ?? models["default"];
}

/** The models that write an answer in a stage: in all its voices but the judge's. */
function authorsOf(stage: CompiledStage): readonly string[] {
  if (!writesAnswer(stage) || fansOut(stage) || stage.flow.sets?.includes("verdict") === true)
    return [];
  const voices = stage.definition.voices.filter((voice) => voice !== judge);
  const { default: standard } = stage.models;
  const speaking =
    voices.length === 0 ? [standard] : voices.map((voice) => stage.models[voice] ?? standard);
  return speaking.flatMap((model) => model?.id ?? []);
}

function judgePlace(parts: AdviceParts, stage: CompiledStage) {
  const model = settingOf(parts, stage, "model");
  const voice = model?.kind === "map" ? model.entries.get(judge)?.value : undefined;
  return voice ?? model ?? placeOf(stage);
}
