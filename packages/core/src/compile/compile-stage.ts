import type { OptionsContext, OptionsReading } from "../spec/document/options-context.ts";
import { textOf } from "../spec/document/node-text.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { entry, positionOf } from "../spec/text/spec-node.ts";
import type { JsonSchema } from "../contracts/json.ts";
import type { Flow } from "../contracts/strategy.ts";
import type { CompiledSequence, CompiledStage, ToolEntry } from "../program/program.ts";
import { bareRecord } from "../program/bare-record.ts";
import type { Shape } from "../spec/text/shape.ts";
import { costOfAgentTools } from "./agent-tool-costs.ts";
import { checkAgentInputs } from "./agent-inputs.ts";
import { askPlugin, checkStage, factsAround, writesObservations } from "./check-stage.ts";
import { agentOf, checkAgentOutput, type StageAgent } from "./compile-agents.ts";
import type { CheckList } from "./compile-checks.ts";
import type { CompileContext } from "./compile-context.ts";
import type { ModelTable } from "./compile-models.ts";
import { fillInBounds } from "./list-bounds.ts";
import { memoryOptionsOf } from "./memory-options.ts";
import { slotOf } from "./slot-forms.ts";
import type { Cost } from "./cost.ts";
import { costOfStage } from "./stage-costs.ts";
import { checkNames, lateScope, slotScope, type StageScope } from "./stage-scope.ts";
import { stageFlow } from "./stage-flow.ts";
import { ownerOf } from "./stage-owner.ts";
import { compileSettings, type StageSettings } from "./stage-settings.ts";
import { selectTools, type StageTools } from "./stage-tools.ts";
import type { ReadStage, StageTree } from "./stage-tree.ts";
import { compilePrompts, compileStageModels, type StageModels } from "./stage-voices.ts";

/** What the compilation of stages needs of the rest of the spec. */
export interface StageContext {
  readonly compile: CompileContext;
  readonly options: OptionsContext;
  readonly checks: CheckList;
  readonly models: ModelTable;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly inputs: Shape;
  readonly outputSchema: JsonSchema | undefined;
  /** How many model calls more than one a generation may take. */
  readonly extraCalls: number;
}

/** Where a stage stands among the others. */
interface Place {
  readonly scope: StageScope;
  /** Whether several branches may run it at once. */
  readonly isConcurrent: boolean;
  readonly parent?: string;
}

/** Compiles the stages of a spec. */
export function compileStages(tree: StageTree, context: StageContext): CompiledSequence {
  const place: Place = {
    scope: { shape: context.options.shape, bindings: [] },
    isConcurrent: false,
  };
  return { stages: tree.stages.map((stage) => compileStage(stage, place, context)) };
}

function compileStage(stage: ReadStage, place: Place, context: StageContext): CompiledStage {
  const { diagnostics } = context.options;
  recordStage(stage, place, context);
  const children = compileChildren(stage, place, context);
  const errorsBefore = diagnostics.errorCount;
  const parts = readParts(stage, place, context);
  const { read, voices, common, tools, prompts, flow } = parts;
  const cost = costOf(stage, parts, children, context);
  if (stage.isUnknown || diagnostics.errorCount > errorsBefore)
    context.compile.unsound.add(stage.id);
  // Each field by its name: to spread the parts first takes several kilobytes more for every stage.
  return {
    always: common.always,
    onError: common.onError,
    examples: common.examples,
    limits: common.limits,
    models: voices.models,
    noModel: voices.noModel,
    bounds: cost.bounds,
    requests: cost.requests,
    id: stage.id,
    path: stage.at.path,
    position: positionOf(stage.at),
    definition: stage.definition,
    options: read.value,
    templates: read.templates,
    expressions: read.expressions,
    slots: children.size === 0 ? noSlots : slotsOf(children),
    prompts,
    tools: tools.names,
    policies: tools.policies,
    flow,
    ...(tools.sets === undefined ? {} : { sets: tools.sets }),
    ...rareParts(common, place.scope),
  };
}

type RareParts = Pick<CompiledStage, "when" | "instructions" | "bindings">;

const noParts: RareParts = {};

/** What few stages have. */
function rareParts({ when, instructions }: StageSettings, { bindings }: StageScope): RareParts {
  if (when === undefined && instructions === undefined && bindings.length === 0) return noParts;
  return {
    ...(when === undefined ? {} : { when }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(bindings.length === 0 ? {} : { bindings }),
  };
}

const noSlots: CompiledStage["slots"] = bareRecord();

function slotsOf(children: ReadonlyMap<string, readonly CompiledStage[]>): CompiledStage["slots"] {
  return bareRecord([...children].map(([key, stages]) => [key, { stages }] as const));
}

/** Everything that is said of a stage itself. */
interface Parts {
  readonly read: OptionsReading;
  readonly agent: StageAgent | undefined;
  readonly voices: StageModels;
  readonly common: StageSettings;
  readonly flow: Flow;
  readonly tools: StageTools;
  readonly prompts: CompiledStage["prompts"];
  /** Whether all of it could be read. */
  readonly isSound: boolean;
}

function readParts(stage: ReadStage, place: Place, context: StageContext): Parts {
  const { settings } = stage;
  const { diagnostics } = context.options;
  const errorsBefore = diagnostics.errorCount;
  const options = optionsIn(stage, place.scope, context);
  const read = readStageOptions(stage, place.scope, options);
  const agent = agentOf(stage, context.compile);
  if (agent !== undefined) acceptAgent(stage, agent, options, context.compile);
  const areOptionsSound = !stage.isUnknown && diagnostics.errorCount === errorsBefore;
  const voices = compileStageModels(stage, entry(settings, "model"), context.models, options);
  const common = compileSettings(settings, options);
  const flow = stageFlow(stage, read.value, areOptionsSound, diagnostics);
  const isActing = areOptionsSound && writesObservations(flow);
  const bound = boundIn(place.scope);
  const isSampled = place.isConcurrent || stage.definition.callsTogether === true;
  const tools = selectTools(
    { node: entry(settings, "tools"), at: stage.at, isActing, isSampled },
    { compile: context.compile, tools: context.tools, inputs: context.inputs, options, bound },
  );
  const known = areOptionsSound ? read.value : undefined;
  const prompts = compilePrompts(stage, entry(settings, "prompt"), known, options);
  const isSound = areOptionsSound && diagnostics.errorCount === errorsBefore;
  return { read, agent, voices, common, flow, tools, prompts, isSound };
}

/** What reading and checking see in a stage: its own part of the state. */
function optionsIn(
  stage: ReadStage,
  scope: StageScope,
  { options, checks }: StageContext,
): OptionsContext {
  const own: OptionsContext = {
    ...options,
    shape: scope.shape,
    lateShape: () => lateScope(stage, scope),
    readChecks: (node) => checks.read(node, own),
  };
  return own;
}

const nothingBound: Readonly<Record<string, Shape>> = {};

function boundIn({ shape, bindings }: StageScope): Readonly<Record<string, Shape>> {
  if (bindings.length === 0) return nothingBound;
  return Object.fromEntries(
    bindings.map((name) => [name, shape.fields[name] ?? ({ kind: "any" } as const)]),
  );
}

function recordStage(stage: ReadStage, { scope, parent }: Place, { compile }: StageContext): void {
  const { id, strategy, definition, at, settings, options } = stage;
  const site = { id, strategy, definition, at, settings, options, scope: scope.shape };
  compile.record.stage(parent === undefined ? site : { ...site, parent });
  compile.record.use("stage", id, settings.entries.get("id")?.value ?? at, true);
  for (const option of memoryOptionsOf(definition)) {
    const said = entry(options, option);
    const name = textOf(said);
    if (said !== undefined && name !== undefined) compile.record.use("memory", name, said);
  }
}

function compileChildren(
  stage: ReadStage,
  place: Place,
  context: StageContext,
): ReadonlyMap<string, readonly CompiledStage[]> {
  const compiled = new Map<string, readonly CompiledStage[]>();
  const scopes = new Map<string, StageScope>();
  for (const [key, stages] of stage.slots) {
    const slot = slotOf(key);
    const scope = scopes.get(slot) ?? slotScope(stage, slot, place.scope);
    scopes.set(slot, scope);
    const inner: Place = {
      scope,
      isConcurrent: place.isConcurrent || stage.definition.slots[slot]?.concurrent === true,
      parent: stage.id,
    };
    compiled.set(
      key,
      stages.map((child) => compileStage(child, inner, context)),
    );
  }
  return compiled;
}

function readStageOptions(
  stage: ReadStage,
  scope: StageScope,
  options: OptionsContext,
): OptionsReading {
  if (stage.isUnknown)
    return { value: {}, templates: new Map(), expressions: new Map(), reads: [] };
  const given = fillInBounds(stage, scope.shape, options.diagnostics);
  checkNames(stage, scope, options.diagnostics);
  return readOptions(given, asJsonSchema(stage.definition.options), ownerOf(stage), options);
}

function acceptAgent(
  stage: ReadStage,
  agent: StageAgent,
  options: OptionsContext,
  compile: CompileContext,
): void {
  if (agent.program !== undefined) compile.inner.set(stage.id, agent.program);
  checkAgentInputs(stage, agent, options, compile);
  checkAgentOutput(stage, agent, compile);
}

function costOf(
  stage: ReadStage,
  { read, voices, common, agent, tools, isSound }: Parts,
  children: ReadonlyMap<string, readonly CompiledStage[]>,
  context: StageContext,
): Cost {
  const { diagnostics } = context.options;
  if (isSound)
    askPlugin(
      stage,
      () => checkStage(stage, voices, read.value, factsAround(tools.names, context), diagnostics),
      undefined,
      diagnostics,
    );
  const facts = {
    options: read.value,
    children,
    noModel: voices.noModel,
    isGuarded: common.when !== undefined,
    extraCalls: context.extraCalls,
    models: Object.values(voices.models),
    hasStandIn: tools.hasStandIn,
    agentTools: costOfAgentTools({
      names: tools.names,
      policies: tools.policies,
      tools: context.tools,
      inner: context.compile.inner,
    }),
  };
  return costOfStage(stage, facts, agent?.program, isSound, diagnostics);
}
