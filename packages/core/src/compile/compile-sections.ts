import type { JsonSchema } from "../contracts/json.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import type { SpecDocument } from "../spec/document/read-document.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { type FieldsDeclaration, fieldsShape, readFields } from "../spec/text/fields.ts";
import { type Shape, shapeFromJsonSchema } from "../spec/text/shape.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import type { Draft } from "./canonical-spec.ts";
import { type CheckList, openChecks } from "./compile-checks.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileGlossary, compileLanguage } from "./compile-glossary.ts";
import { compileLimits } from "./compile-limits.ts";
import { type ModelTable, openModels } from "./compile-models.ts";
import { compileOutput, readOutputFields } from "./compile-output.ts";
import { compilePlugins, namesOf } from "./compile-plugins.ts";
import { secretsOf } from "./compile-secrets.ts";
import { compileStages, type StageContext } from "./compile-stage.ts";
import { compileSwitches } from "./compile-switches.ts";
import { compileTask } from "./compile-task.ts";
import { compileTools } from "./compile-tools.ts";
import { compileCases, compileWorkspace } from "./compile-workspace.ts";
import { extraCalls } from "./extra-calls.ts";
import type { StageTree } from "./stage-tree.ts";
import { checkUnused } from "./unused-strategies.ts";
import { collectRoles } from "./model-form.ts";
import type { OutputDeclaration, CompiledSequence, CompiledStage } from "../program/program.ts";
import { programBounds, reachableModels } from "./program-bounds.ts";
import { stateShapeOf } from "./stage-results.ts";
import { taskShape } from "./state-shape.ts";

/** The sections of a spec, compiled, and its checks with their places. */
export interface Sections {
  readonly draft: Draft;
  readonly checks: CheckList;
}

/** What the sections share: the inputs, the output's fields, and what expressions see. */
interface Ground {
  readonly inputs: FieldsDeclaration;
  readonly inputsShape: Shape;
  readonly outputSchema: JsonSchema | undefined;
  readonly checks: CheckList;
  readonly options: OptionsContext;
}

/** Compiles the sections of a spec; what is wrong in one of them leaves the others to be looked at. */
export function compileSections(
  document: SpecDocument,
  tree: StageTree,
  file: string,
  context: CompileContext,
): Sections {
  const ground = layGround(document, tree, context);
  const { options, checks, inputs, inputsShape } = ground;
  const output = compileOutput(document.section("output"), ground.outputSchema, options);
  const { strategy, tools } = compileStrategy(document, tree, ground, output, context);
  const stages = byId(strategy);
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
    ...compileManner(document, options, context),
    models: reachableModels(stages.values()),
    tools,
    memories: new Map(memories.map((memory) => [memory.name, memory])),
    checks: checks.entries,
    sinks: compilePlugins("sink", document.section("sinks"), options, context),
    strategy,
    stages,
    ...(output === undefined ? {} : { output }),
    limits,
    ...compileSwitching(document, { stages, limits }, options, context),
    dryRun: context.settings.dryRun ?? document.dryRun,
    bounds: programBounds({ strategy, stages, tools, limits, agents: context.inner }),
    shape: options.shape,
  };
  return { draft, checks };
}

/** What every prompt says beside the task, and what tools and judges work on. */
function compileManner(
  document: SpecDocument,
  options: OptionsContext,
  context: CompileContext,
): Pick<Draft, "instructions" | "glossary" | "language" | "workspace" | "cases" | "secrets"> {
  const { diagnostics } = context;
  const said = document.section("instructions");
  const instructions =
    said === undefined ? undefined : readTemplate(said, options.shape, diagnostics);
  const glossary = compileGlossary(document.section("glossary"), diagnostics);
  const language = compileLanguage(document.section("language"), diagnostics);
  const workspace = compileWorkspace(document.section("workspace"), context);
  const cases = compileCases(document.section("cases"), context);
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(glossary === undefined ? {} : { glossary }),
    ...(language === undefined ? {} : { language }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(cases === undefined ? {} : { cases }),
    secrets: secretsOf(document.root),
  };
}

function compileSwitching(
  document: SpecDocument,
  { stages, limits }: Pick<Draft, "stages" | "limits">,
  options: OptionsContext,
  context: CompileContext,
): Pick<Draft, "switches"> {
  const known = { stages: [...stages.keys()], tools: namesOf(document.section("tools")), limits };
  const switches = compileSwitches(document.section("switches"), known, options, context);
  return switches === undefined ? {} : { switches };
}

function layGround(document: SpecDocument, tree: StageTree, context: CompileContext): Ground {
  const { diagnostics, root } = context;
  const inputs = readInputs(document.section("inputs"), context);
  const inputsShape: Shape = inputs === undefined ? { kind: "any" } : fieldsShape(inputs);
  const outputSchema = readOutputFields(document.section("output"), diagnostics);
  const memories = namesOf(document.section("memory"));
  const value: Shape =
    outputSchema === undefined ? { kind: "any" } : shapeFromJsonSchema(outputSchema);
  const shape = stateShapeOf(tree.stages, { inputs: inputsShape, value, memories }, context);
  context.record.ground(document.root, shape);
  const checks = openChecks(context);
  const options: OptionsContext = {
    diagnostics,
    shape,
    root,
    memories,
    readChecks: (node) => checks.read(node, options),
  };
  return { inputs: inputs ?? noFields, inputsShape, outputSchema, checks, options };
}

function compileStrategy(
  document: SpecDocument,
  tree: StageTree,
  { options, checks, inputsShape }: Ground,
  output: OutputDeclaration | undefined,
  context: CompileContext,
): Pick<Draft, "strategy" | "tools"> {
  const [said, shared] = [document.section("tools"), document.section("toolPolicy")];
  const tools = compileTools(said, shared, inputsShape, options, context);
  const stageContext: StageContext = {
    compile: context,
    options,
    checks,
    models: readModels(document, options, context),
    tools,
    inputs: inputsShape,
    outputSchema: output?.schema,
    extraCalls: extraCalls(output),
  };
  checkUnused(tree.unused, stageContext);
  return { strategy: compileStages(tree, stageContext), tools };
}

const noFields: FieldsDeclaration = {
  fields: {},
  schema: { type: "object", properties: {}, required: [], additionalProperties: false },
};

/** Undefined where the declaration has errors: what is read from it is then not known. */
function readInputs(
  node: SpecNode | undefined,
  { diagnostics, record }: CompileContext,
): FieldsDeclaration | undefined {
  if (node === undefined) return noFields;
  if (node.kind === "map")
    for (const [name, { key }] of node.entries) record.use("input", name, key, true);
  return readFields(node, diagnostics);
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
  const found = new Map<string, CompiledStage>();
  const visit = (stage: CompiledStage): void => {
    found.set(stage.id, stage);
    for (const slot of Object.values(stage.slots)) slot.stages.forEach(visit);
  };
  sequence.stages.forEach(visit);
  return found;
}
