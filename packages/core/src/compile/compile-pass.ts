import type { OptionsContext } from "../spec/document/options-context.ts";
import { setValues, type SetValue } from "../spec/document/apply-overrides.ts";
import { readDocument, type SpecDocument } from "../spec/document/read-document.ts";
import { fieldsShape, readFields, type FieldsDeclaration } from "../spec/text/fields.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { shapeFromJsonSchema, type Shape } from "../spec/text/shape.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { canonicalSpec, type Draft } from "./canonical-spec.ts";
import { checkRequirements } from "./check-requirements.ts";
import { type CheckList, openChecks } from "./compile-checks.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileLimits } from "./compile-limits.ts";
import { openModels, type ModelTable } from "./compile-models.ts";
import { compileOutput, defaultRepair, readOutputFields } from "./compile-output.ts";
import { compilePlugins, namesOf } from "./compile-plugins.ts";
import { compileStage, type StageContext } from "./compile-stage.ts";
import { compileTask } from "./compile-task.ts";
import { compileTools } from "./compile-tools.ts";
import { flattenStages, linkStages, type LinkedStage } from "./link-stages.ts";
import { collectRoles } from "./model-form.ts";
import type { Program, SequenceNode, StageNode } from "./program.ts";
import { checkLimits, checkPrices, programBounds, reachableModels } from "./program-bounds.ts";
import { hashOf } from "./program-hash.ts";
import { checkFlow } from "./stage-flow.ts";
import { overrideStages } from "./stage-overrides.ts";
import { stateShape, taskShape } from "./state-shape.ts";

/** A spec that was read, with what the command sets over it. */
export interface PassInput {
  readonly node: SpecNode;
  /** As diagnostics call it; absolute for a file. */
  readonly file: string;
  readonly overrides: readonly SetValue[];
}

/** Compiles a spec with the plugins that are loaded; undefined where there are errors, or plugins yet to load. */
export function compilePass(input: PassInput, context: CompileContext): Program | undefined {
  const { diagnostics } = context;
  const [stageValues, specValues] = splitOverrides(input.overrides);
  const node =
    input.node.kind === "map" ? setValues(input.node, specValues, diagnostics) : input.node;
  const document = readDocument(node, diagnostics);
  if (document === undefined) return undefined;
  const strategy = document.section("strategy");
  const linked =
    strategy === undefined
      ? []
      : overrideStages(linkStages(strategy, context), stageValues, diagnostics);
  const { draft, checks } = compileSections(document, linked, input, context);
  const bySaid = new Map(flattenStages(linked).map((stage) => [stage.id, stage]));
  if (diagnostics.hasErrors) return undefined;
  checkProgram(draft, document, bySaid, context);
  checkRequirements(checks, draft.stages, document.section("task"), diagnostics);
  const canonical = canonicalSpec(draft, document.root, bySaid);
  return diagnostics.hasErrors
    ? undefined
    : { ...draft, canonical, hash: hashOf(canonical), diagnostics: diagnostics.sorted() };
}

interface Sections {
  readonly draft: Draft;
  readonly checks: CheckList;
}

function splitOverrides(
  values: readonly SetValue[],
): readonly [readonly SetValue[], readonly SetValue[]] {
  const isOfStage = ({ path }: SetValue): boolean => path[0] === "stages";
  return [values.filter(isOfStage), values.filter((value) => !isOfStage(value))];
}

function compileSections(
  document: SpecDocument,
  linked: readonly LinkedStage[],
  input: PassInput,
  context: CompileContext,
): Sections {
  const { diagnostics, settings } = context;
  const inputs = readInputs(document.section("inputs"), context);
  const inputsShape = fieldsShape(inputs);
  const schema = readOutputFields(document.section("output"), diagnostics);
  const value: Shape = schema === undefined ? { kind: "any" } : shapeFromJsonSchema(schema);
  const shape = stateShape({
    inputs: inputsShape,
    value,
    stages: flattenStages(linked).map(({ id }) => id),
  });
  const checks = openChecks(context);
  const options: OptionsContext = {
    diagnostics,
    shape,
    root: context.root,
    memories: namesOf(document.section("memory")),
    readChecks: (node) => checks.read(node, options),
  };
  const models = readModels(document, options, context);
  const tools = compileTools(
    document.section("tools"),
    document.section("toolPolicy"),
    inputsShape,
    options,
    context,
  );
  const output = compileOutput(document.section("output"), schema, options);
  const stageContext: StageContext = {
    options,
    models,
    tools,
    inputs: inputsShape,
    repair: output?.repair ?? defaultRepair,
  };
  const sequence: SequenceNode = {
    stages: linked.map((stage) => compileStage(stage, false, stageContext)),
  };
  const stages = byId(sequence);
  const instructions = document.section("instructions");
  const added =
    instructions === undefined ? undefined : readTemplate(instructions, shape, diagnostics);
  const memories = compilePlugins("memory", document.section("memory"), options, context);
  const draft: Draft = {
    name: document.name,
    version: document.version,
    description: document.description,
    file: input.file,
    root: context.root,
    inputs,
    task: compileTask(
      document.section("task"),
      { templates: taskShape(inputsShape), rules: shape },
      diagnostics,
    ),
    ...(added === undefined ? {} : { instructions: added }),
    models: reachableModels(stages.values()),
    tools,
    memories: new Map(memories.map((memory) => [memory.name, memory])),
    checks: checks.entries,
    sinks: compilePlugins("sink", document.section("sinks"), options, context),
    strategy: sequence,
    stages,
    ...(output === undefined ? {} : { output }),
    limits: compileLimits(document.section("limits"), options),
    dryRun: settings.dryRun ?? document.dryRun,
    bounds: programBounds(sequence),
    shape,
  };
  return { draft, checks };
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

function byId(sequence: SequenceNode): ReadonlyMap<string, StageNode> {
  const all = (stage: StageNode): readonly StageNode[] => [
    stage,
    ...Object.values(stage.slots).flatMap((slot) => slot.stages.flatMap(all)),
  ];
  return new Map(sequence.stages.flatMap(all).map((stage) => [stage.id, stage]));
}

function checkProgram(
  draft: Draft,
  document: SpecDocument,
  linked: ReadonlyMap<string, LinkedStage>,
  context: CompileContext,
): void {
  const { diagnostics } = context;
  const guards = new Map<string, SpecNode>();
  for (const [id, stage] of linked) {
    const guard = entry(stage.settings, "when");
    if (guard !== undefined) guards.set(id, guard);
  }
  checkFlow(draft.strategy, draft.stages, guards, diagnostics);
  const limits = document.section("limits");
  checkLimits(limits, draft.limits, draft.bounds, diagnostics);
  const usd = limits?.kind === "map" ? entry(limits, "usd") : undefined;
  checkPrices(usd, draft.models, diagnostics);
}
