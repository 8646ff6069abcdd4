import type { OptionsContext, OptionsReading } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { asJsonSchema, commonSettings } from "../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { Shape } from "../spec/text/shape.ts";
import { entry, positionOf } from "../spec/text/spec-node.ts";
import {
  askPlugin,
  checkStage,
  reportUnbounded,
  warnOfStage,
  writesObservations,
} from "./check-stage.ts";
import { bareRecord } from "../program/bare-record.ts";
import type { ModelTable } from "./compile-models.ts";
import type { ReadStage } from "./read-stages.ts";
import type { CompiledStage, ToolEntry } from "../program/program.ts";
import { sequenceCost, stageCost } from "./stage-bounds.ts";
import { compileSettings } from "./stage-settings.ts";
import { selectTools } from "./stage-tools.ts";
import { compilePrompts, compileStageModels } from "./stage-voices.ts";

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
  stage: ReadStage,
  isSampled: boolean,
  context: StageContext,
): CompiledStage {
  const { settings } = stage;
  const { options } = context;
  const children = compileChildren(stage, isSampled, context);
  const errorsBefore = errorCount(options.diagnostics);
  const read = readStageOptions(stage, options);
  const voices = compileStageModels(stage, entry(settings, "model"), context.models, options);
  const common = compileSettings(settings, options);
  const isSound = errorCount(options.diagnostics) === errorsBefore;
  const ask = <T>(question: () => T, otherwise: T): T =>
    isSound ? askPlugin(stage, question, otherwise, options.diagnostics) : otherwise;
  const flow = ask(() => stage.definition.flow(read.value as never), {});
  const isActing = writesObservations(flow);
  const toolsNode = entry(settings, "tools");
  const tools = selectTools({ node: toolsNode, at: stage.at, isActing, isSampled }, context);
  ask(() => checkStage(stage, voices, read.value, options.diagnostics), undefined);
  if (!options.diagnostics.hasErrors) {
    warnOfStage(stage, voices, flow, tools.names, isSampled, options.diagnostics);
  }
  const facts = {
    options: read.value,
    children: new Map([...children].map(([name, nodes]) => [name, sequenceCost(nodes)])),
    noModel: voices.noModel,
    isGuarded: common.when !== undefined,
    repair: context.repair,
    models: Object.values(voices.models),
    hasStandIn: tools.hasStandIn,
  };
  const cost = ask(() => stageCost(stage.definition, facts), sequenceCost([]));
  if (isSound) reportUnbounded(stage, cost, facts.children.values(), options.diagnostics);
  return {
    ...common,
    models: voices.models,
    noModel: voices.noModel,
    ...cost,
    ...identityOf(stage),
    options: read.value,
    templates: read.templates,
    expressions: read.expressions,
    slots: bareRecord([...children].map(([name, stages]) => [name, { stages }] as const)),
    prompts: compilePrompts(stage, entry(settings, "prompt"), options),
    tools: tools.names,
    policies: tools.policies,
    flow,
  };
}

function identityOf({
  id,
  at,
  definition,
}: ReadStage): Pick<CompiledStage, "id" | "path" | "position" | "definition"> {
  return { id, path: at.path, position: positionOf(at), definition };
}

function compileChildren(
  stage: ReadStage,
  isSampled: boolean,
  context: StageContext,
): ReadonlyMap<string, readonly CompiledStage[]> {
  return new Map(
    [...stage.slots].map(([name, stages]) => {
      const isBranch = isSampled || stage.definition.slots[name]?.sampled === true;
      return [name, stages.map((child) => compileStage(child, isBranch, context))];
    }),
  );
}

function errorCount(diagnostics: Diagnostics): number {
  return diagnostics.items.filter((item) => item.severity === "error").length;
}

function readStageOptions(stage: ReadStage, options: OptionsContext): OptionsReading {
  const owner = {
    name: stage.strategy,
    unknownCode: "LW-STAGE-UNKNOWN-OPTION",
    missingCode: "LW-STAGE-MISSING-OPTION",
    alsoKnown: [...Object.keys(stage.definition.slots), ...commonSettings],
  } as const;
  return readOptions(stage.options, asJsonSchema(stage.definition.options), owner, options);
}
