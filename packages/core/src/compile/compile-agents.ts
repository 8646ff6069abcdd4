import { statSync } from "node:fs";
import { relative } from "node:path";
import type { JsonSchema } from "../contracts/json.ts";
import type { StrategyDefinition } from "../contracts/strategy.ts";
import type { Program } from "../program/program.ts";
import { textOf } from "../spec/document/node-text.ts";
import { resolvePath } from "../spec/document/resolve-path.ts";
import { markerOf, propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { type Shape, shapeFromJsonSchema } from "../spec/text/shape.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { maxAgents } from "./agent-table.ts";
import type { CompileContext } from "./compile-context.ts";
import type { ReadStage } from "./stage-tree.ts";

/** Finds the agent whose spec a node names; what is wrong with it is reported, and it is undefined then, or not compiled yet. */
export function findAgent(node: SpecNode, context: CompileContext): Program | undefined {
  const file = agentFile(node, context);
  // A file that is not there is reported where the option is read.
  if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return undefined;
  context.record.use("file", file, node);
  const { diagnostics, agents, root } = context;
  const { files } = agents.trail;
  if (files.includes(file)) {
    const circle = [...files.slice(files.indexOf(file)), file].map((one) => relative(root, one));
    const message = `agents call each other in a circle: ${circle.join(" → ")}`;
    const repair = "name another spec here, or take this agent out";
    diagnostics.error("LW-AGENT-CYCLE", node, message, repair);
    return undefined;
  }
  const found = agents.find(file);
  if (found === undefined) return undefined;
  if (found.isLeftOut === true) {
    const message = `the spec needs more than ${maxAgents} agents, those inside its agents included`;
    diagnostics.error("LW-SPEC-TOO-LARGE", node, message, "let one of them do more by itself");
  } else {
    liftWarnings(node, found.diagnostics, context);
    if (found.program === undefined) reportAgent(node, file, found.diagnostics, context);
  }
  return found.program;
}

/** Tells what is warned of in the spec of an agent, those inside it included: that it can't be run yet, and all else. */
function liftWarnings(
  node: SpecNode,
  found: readonly Diagnostic[],
  { diagnostics }: CompileContext,
): void {
  // That a fragment can't be run is an error here.
  for (const item of found)
    if (item.severity === "warning" && item.code !== "LW-SPEC-FRAGMENT")
      diagnostics.add({ ...item, notes: [...(item.notes ?? []), namedBy(node)] });
}

function namedBy({ file, line }: SpecNode): string {
  return `by \`agent\` at ${file}:${line}`;
}

/** The path of an agent's spec; one that can't be used is reported where the option is read. */
function agentFile(node: SpecNode, { root }: CompileContext): string | undefined {
  const text = textOf(node);
  return text === undefined ? undefined : resolvePath(node, text, root, new Diagnostics());
}

function reportAgent(
  node: SpecNode,
  file: string,
  found: readonly Diagnostic[],
  { diagnostics, root }: CompileContext,
): void {
  const errors = found.filter(({ severity }) => severity === "error");
  for (const { code, message, suggestion, notes = [], ...at } of errors)
    diagnostics.error(code as DiagnosticCode, at, message, suggestion, [...notes, namedBy(node)]);
  const name = relative(root, file);
  const circle = errors.find(({ code }) => code === "LW-AGENT-CYCLE");
  const [first] = errors;
  const message =
    first === undefined
      ? `\`${name}\` is a fragment: without a \`strategy\` it cannot run`
      : `\`${name}\` has ${errors.length === 1 ? "an error" : `${errors.length} errors`}, the first in line ${first.line}`;
  const repair =
    first === undefined
      ? "add `strategy:` to it"
      : `mend it there: \`loopwright check ${name}\` shows all of it`;
  if (circle === undefined) diagnostics.error("LW-AGENT-SPEC", node, message, repair);
}

/** The agent that a stage runs: what names it, and its program where that could be compiled. */
export interface StageAgent {
  readonly node: SpecNode;
  readonly program: Program | undefined;
}

/** The agent whose spec an option of a stage names; undefined for a stage that runs none. */
export function agentOf(stage: ReadStage, context: CompileContext): StageAgent | undefined {
  const option = specOptionOf(stage);
  const node = option === undefined ? undefined : entry(stage.options, option);
  return node === undefined ? undefined : { node, program: findAgent(node, context) };
}

const specOptions = new WeakMap<StrategyDefinition, { readonly option: string | undefined }>();

function specOptionOf({ definition }: ReadStage): string | undefined {
  const known = specOptions.get(definition);
  if (known !== undefined) return known.option;
  const schemas = propertiesOf(asJsonSchema(definition.options));
  const option = [...schemas].find(([, schema]) => markerOf(schema)?.kind === "spec")?.[0];
  specOptions.set(definition, { option });
  return option;
}

/** What a stage that runs an agent leaves as its value: a field of the agent's output, or all of it. */
export function agentValue(stage: ReadStage, { program }: StageAgent): Shape {
  if (program?.output === undefined) return { kind: "any" };
  const output = program.output.schema;
  const field = textOf(entry(stage.options, "output"));
  if (field === undefined) return shapeFromJsonSchema(output);
  const schema = propertiesOf(output).get(field);
  return schema === undefined ? { kind: "any" } : shapeFromJsonSchema(schema);
}

/** Reports an `output` that is no field of the agent's output. */
export function checkAgentOutput(
  stage: ReadStage,
  { program }: StageAgent,
  { diagnostics, root }: CompileContext,
): void {
  const node = entry(stage.options, "output");
  const field = textOf(node);
  if (program === undefined || node === undefined || field === undefined) return;
  const schema: JsonSchema = program.output?.schema ?? {};
  const known = [...propertiesOf(schema).keys()];
  if (known.includes(field)) return;
  const name = relative(root, program.file);
  const listed =
    known.length === 0
      ? "leave `output` out: the whole answer is the answer"
      : `fields there: ${known.join(", ")}`;
  const message =
    known.length === 0
      ? `\`${name}\` declares no fields of its output`
      : `the output of \`${name}\` has no field \`${field}\``;
  diagnostics.error("LW-AGENT-INPUT", node, message, didYouMean(field, known) ?? listed);
}
