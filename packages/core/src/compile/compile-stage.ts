import type { JsonObject } from "../contracts/json.ts";
import type { Flow, StrategyDefinition } from "../contracts/strategy.ts";
import type { OptionsContext, OptionsReading } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { propertiesOf, markerOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema, commonSettings } from "../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import type { Shape } from "../spec/text/shape.ts";
import type { ModelTable } from "./compile-models.ts";
import type { LinkedStage } from "./link-stages.ts";
import type { StageNode, ToolEntry } from "./program.ts";
import { type Cost, ownGenerations, sequenceCost, stageCost } from "./stage-bounds.ts";
import { compileSettings } from "./stage-settings.ts";
import { selectTools } from "./stage-tools.ts";
import { compilePrompts, compileStageModels, type StageModels } from "./stage-voices.ts";

/** What the compilation of stages needs of the rest of the spec. */
export interface StageContext {
  readonly options: OptionsContext;
  readonly models: ModelTable;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly inputs: Shape;
  /** How often the fault of one reply may be fed back. */
  readonly repair: number;
}

/** Compiles a stage and its children; `isSampled` says that several branches may run it at once. */
export function compileStage(
  stage: LinkedStage,
  isSampled: boolean,
  context: StageContext,
): StageNode {
  const { definition, settings } = stage;
  const { diagnostics } = context.options;
  const children = new Map(
    [...stage.slots].map(([name, stages]) => {
      const isBranch = isSampled || definition.slots[name]?.sampled === true;
      return [name, stages.map((child) => compileStage(child, isBranch, context))];
    }),
  );
  const errorsBefore = errorCount(diagnostics);
  const read = readStageOptions(stage, context.options);
  const voices = compileStageModels(
    stage,
    entry(settings, "model"),
    context.models,
    context.options,
  );
  const common = compileSettings(settings, context.options);
  const isSound = errorCount(diagnostics) === errorsBefore;
  const flow = isSound ? definition.flow(read.value as never) : {};
  const tools = selectTools(
    { node: entry(settings, "tools"), isActing: writesObservations(flow), isSampled },
    context,
  );
  const costs = new Map([...children].map(([name, nodes]) => [name, sequenceCost(nodes)]));
  if (isSound) {
    checkModels(stage, voices, read.value, diagnostics);
    validate(stage, read.value, voices.noModel, diagnostics);
  }
  if (!diagnostics.hasErrors) {
    warnOfStage(stage, voices, flow, tools.names, isSampled, diagnostics);
  }
  const cost = isSound
    ? costOf(definition, read.value, costs, voices, common.when !== undefined, context.repair)
    : sequenceCost([]);
  return {
    ...common,
    id: stage.id,
    path: stage.at.path,
    position: positionOf(stage.at),
    definition,
    ...read,
    options: read.value,
    slots: Object.fromEntries([...children].map(([name, stages]) => [name, { stages }])),
    models: voices.models,
    noModel: voices.noModel,
    prompts: compilePrompts(stage, entry(settings, "prompt"), context.options),
    tools: tools.names,
    policies: tools.policies,
    flow,
    ...cost,
  };
}

function errorCount(diagnostics: Diagnostics): number {
  return diagnostics.items.filter((item) => item.severity === "error").length;
}

function readStageOptions(stage: LinkedStage, options: OptionsContext): OptionsReading {
  const owner = {
    name: stage.strategy,
    unknownCode: "LW-STAGE-UNKNOWN-OPTION",
    missingCode: "LW-STAGE-MISSING-OPTION",
    alsoKnown: [...Object.keys(stage.definition.slots), ...commonSettings],
  } as const;
  return readOptions(stage.options, asJsonSchema(stage.definition.options), owner, options);
}

function writesObservations(flow: Flow): boolean {
  return [...(flow.maySet ?? []), ...(flow.sets ?? [])].includes("observations");
}

function costOf(
  definition: StrategyDefinition,
  options: JsonObject,
  children: ReadonlyMap<string, Cost>,
  voices: StageModels,
  isGuarded: boolean,
  repair: number,
): Cost {
  const { noModel } = voices;
  return stageCost(definition, {
    options,
    children,
    noModel,
    isGuarded,
    repair,
    models: Object.values(voices.models),
  });
}

function checkModels(
  stage: LinkedStage,
  voices: StageModels,
  options: JsonObject,
  diagnostics: Diagnostics,
): void {
  const { definition } = stage;
  const own = ownGenerations(definition, options, stage.slots.keys());
  const at: SpecNode = entry(stage.settings, "model") ?? stage.at;
  if (voices.noModel) {
    const judgesByChecks = [...propertiesOf(asJsonSchema(definition.options)).values()].some(
      (schema) => markerOf(schema)?.kind === "checks",
    );
    if (judgesByChecks || own[1] === 0) return;
    diagnostics.error(
      "LW-STAGE-NO-MODEL",
      at,
      `\`${stage.strategy}\` needs a model; \`none\` is for stages that judge by checks alone`,
    );
    return;
  }
  if (own[1] === 0 || voices.models["default"] !== undefined) return;
  const missing = definition.voices.filter((voice) => voices.models[voice] === undefined);
  if (definition.voices.length > 0 && missing.length === 0) return;
  const isPartial = missing.length > 0 && missing.length < definition.voices.length;
  const message = isPartial
    ? `\`${stage.strategy}\` has no model for ${missing.map((voice) => `\`${voice}\``).join(" and ")}`
    : `\`${stage.strategy}\` needs a model and none is given`;
  diagnostics.error(
    "LW-STAGE-NO-MODEL",
    at,
    message,
    "write `model: provider/name` at the top of the spec or in the stage",
  );
}

function validate(
  stage: LinkedStage,
  options: JsonObject,
  noModel: boolean,
  diagnostics: Diagnostics,
): void {
  const problems =
    stage.definition.validate?.(options as never, { slots: [...stage.slots.keys()], noModel }) ??
    [];
  for (const { message, option } of problems) {
    const said =
      option === undefined
        ? undefined
        : (stage.options.entries.get(option) ?? stage.settings.entries.get(option));
    diagnostics.error(
      "LW-STAGE-OPTIONS",
      said?.key ?? stage.at,
      `\`${stage.strategy}\`: ${message}`,
    );
  }
}

function warnOfStage(
  stage: LinkedStage,
  voices: StageModels,
  flow: Flow,
  tools: readonly string[],
  isSampled: boolean,
  diagnostics: Diagnostics,
): void {
  if (writesObservations(flow) && tools.length === 0) {
    diagnostics.warn(
      "LW-STAGE-NO-TOOLS",
      stage.at,
      `\`${stage.strategy}\` acts, and there is no tool that it may call`,
      "list tools under `tools`",
    );
  }
  const samplesItself = Object.entries(stage.definition.slots).some(
    ([name, slot]) => slot.sampled && !stage.slots.has(name),
  );
  const cold = Object.values(voices.models).find((model) => model.sampling.temperature === 0);
  if ((isSampled || samplesItself) && cold !== undefined && !samplesByOthers(stage)) {
    diagnostics.warn(
      "LW-MODEL-ALIKE-SAMPLES",
      stage.at,
      `samples of \`${stage.strategy}\` at temperature 0 will be alike`,
      "give it a model with a higher temperature",
    );
  }
}

// A stage that fans out over a given slot leaves the sampling to that slot's stages.
function samplesByOthers(stage: LinkedStage): boolean {
  return Object.entries(stage.definition.slots).some(
    ([name, slot]) => slot.sampled && stage.slots.has(name),
  );
}
