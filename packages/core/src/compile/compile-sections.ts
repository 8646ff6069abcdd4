import type { JsonSchema } from "../contracts/json.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import type { SpecDocument } from "../spec/document/read-document.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { type FieldsDeclaration, fieldsShape, readFields } from "../spec/text/fields.ts";
import { type ObjectShape, shapeFromJsonSchema } from "../spec/text/shape.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import type { Draft } from "./canonical-spec.ts";
import { type CheckList, openChecks } from "./compile-checks.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileLimits } from "./compile-limits.ts";
import { type ModelTable, openModels } from "./compile-models.ts";
import { defaultRepair } from "../output/default-repair.ts";
import { compileOutput, readOutputFields } from "./compile-output.ts";
import { compilePlugins, namesOf } from "./compile-plugins.ts";
import { compileStage, type StageContext } from "./compile-stage.ts";
import { compileTask } from "./compile-task.ts";
import { compileTools } from "./compile-tools.ts";
import { flattenStages, type ReadStage } from "./read-stages.ts";
import { collectRoles } from "./model-form.ts";
import type { OutputDeclaration, CompiledSequence, CompiledStage } from "../program/program.ts";
import { programBounds, reachableModels } from "./program-bounds.ts";
import { stateShape, taskShape } from "./state-shape.ts";

/** The sections of a spec, compiled, and its checks with their places. */
export interface Sections {
  readonly draft: Draft;
  readonly checks: CheckList;
}

/** What the sections share: the inputs, the output's fields, and what expressions see. */
interface Ground {
  readonly inputs: FieldsDeclaration;
  readonly inputsShape: ObjectShape;
  readonly outputSchema: JsonSchema | undefined;
  readonly checks: CheckList;
  readonly options: OptionsContext;
}

/** Compiles the sections of a spec; what is wrong in one of them leaves the others to be looked at. */
export function compileSections(
  document: SpecDocument,
  linked: readonly ReadStage[],
  file: string,
  context: CompileContext,
): Sections {
  const ground = layGround(document, linked, context);
  const { options, checks, inputs, inputsShape } = ground;
  const output = compileOutput(document.section("output"), ground.outputSchema, options);
  const { strategy, tools } = compileStrategy(document, linked, ground, output, context);
  const stages = byId(strategy);
  const instructions = document.section("instructions");
  const added =
    instructions === undefined
      ? undefined
      : readTemplate(instructions, options.shape, context.diagnostics);
  const memories = compilePlugins("memory", document.section("memory"), options, context);
  const shapes = { templates: taskShape(inputsShape), rules: options.shape };
  const limits = compileLimits(document.section("limits"), options);
  const draft: Draft = {
    name: document.name,
    version: document.version,
    description: document.description,
    file,
    root: context.root,
    inputs,
    task: compileTask(document.section("task"), shapes, context.diagnostics),
    ...(added === undefined ? {} : { instructions: added }),
    models: reachableModels(stages.values()),
    tools,
    memories: new Map(memories.map((memory) => [memory.name, memory])),
    checks: checks.entries,
    sinks: compilePlugins("sink", document.section("sinks"), options, context),
    strategy,
    stages,
    ...(output === undefined ? {} : { output }),
    limits,
    dryRun: context.settings.dryRun ?? document.dryRun,
    bounds: programBounds({ strategy, stages, tools, limits }),
    shape: options.shape,
  };
  return { draft, checks };
}

function layGround(
  document: SpecDocument,
  linked: readonly ReadStage[],
  context: CompileContext,
): Ground {
  const { diagnostics, root } = context;
  const inputs = readInputs(document.section("inputs"), context);
  const inputsShape = fieldsShape(inputs);
  const outputSchema = readOutputFields(document.section("output"), diagnostics);
  const shape = stateShape({
    inputs: inputsShape,
    value: outputSchema === undefined ? { kind: "any" } : shapeFromJsonSchema(outputSchema),
    stages: flattenStages(linked).map(({ id }) => id),
  });
  const checks = openChecks(context);
  const options: OptionsContext = {
    diagnostics,
    shape,
    root,
    memories: namesOf(document.section("memory")),
    readChecks: (node) => checks.read(node, options),
  };
  return { inputs, inputsShape, outputSchema, checks, options };
}

function compileStrategy(
  document: SpecDocument,
  linked: readonly ReadStage[],
  { options, inputsShape }: Ground,
  output: OutputDeclaration | undefined,
  context: CompileContext,
): Pick<Draft, "strategy" | "tools"> {
  const [said, shared] = [document.section("tools"), document.section("toolPolicy")];
  const tools = compileTools(said, shared, inputsShape, options, context);
  const stageContext: StageContext = {
    options,
    models: readModels(document, options, context),
    tools,
    inputs: inputsShape,
    repair: output?.repair ?? defaultRepair,
  };
  return {
    strategy: { stages: linked.map((stage) => compileStage(stage, false, stageContext)) },
    tools,
  };
}

function readInputs(node: SpecNode | undefined, context: CompileContext): FieldsDeclaration {
  const none: FieldsDeclaration = {
    fields: {},
    schema: { type: "object", properties: {}, required: [], additionalProperties: false },
  };
  return node === undefined ? none : (readFields(node, context.diagnostics) ?? none);
}

// Every role is read, also one that no stage names: a fault in it is a fault of the spec.
function readModels(
  document: SpecDocument,
  options: OptionsContext,
  context: CompileContext,
): ModelTable {
  const roles = collectRoles(document.section("model"), document.section("models"), context);
  const table = openModels(roles, options, context);
  for (const node of roles.nodes.values()) table.resolve(node);
  return table;
}

function byId(sequence: CompiledSequence): ReadonlyMap<string, CompiledStage> {
  const all = (stage: CompiledStage): readonly CompiledStage[] => [
    stage,
    ...Object.values(stage.slots).flatMap((slot) => slot.stages.flatMap(all)),
  ];
  return new Map(sequence.stages.flatMap(all).map((stage) => [stage.id, stage]));
}
