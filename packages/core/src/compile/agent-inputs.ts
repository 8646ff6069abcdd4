import { relative } from "node:path";
import type { JsonSchema } from "../contracts/json.ts";
import type { Program } from "../program/program.ts";
import { atOffset } from "../spec/document/offset-position.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { openReader, readValue } from "../spec/document/read-options.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import {
  describeShape,
  resolveShape,
  type Shape,
  shapeFromJsonSchema,
} from "../spec/text/shape.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { parseTemplate, type Template } from "../spec/text/template.ts";
import type { StageAgent } from "./compile-agents.ts";
import type { CompileContext } from "./compile-context.ts";
import type { ReadStage } from "./stage-tree.ts";

/** Checks the `inputs` of a stage against what its agent declares: names, and types as far as they are known. */
export function checkAgentInputs(
  stage: ReadStage,
  { node, program }: StageAgent,
  options: OptionsContext,
  { root }: Pick<CompileContext, "root">,
): void {
  if (program === undefined) return;
  const { diagnostics } = options;
  const given = entry(stage.options, "inputs");
  if (given !== undefined && given.kind !== "map") return;
  const declared = propertiesOf(program.inputs.schema);
  const name = relative(root, program.file);
  for (const [key, { key: at, value }] of given?.entries ?? []) {
    const schema = declared.get(key);
    if (schema !== undefined) checkInput(key, value, schema, options);
    else {
      const known =
        declared.size === 0 ? "it takes none" : `it takes ${[...declared.keys()].join(", ")}`;
      const repair = didYouMean(key, declared.keys()) ?? known;
      diagnostics.error("LW-AGENT-INPUT", at, `\`${name}\` declares no input \`${key}\``, repair);
    }
  }
  const missing = missingInputs(program, given);
  if (missing.length === 0) return;
  const message = `\`${name}\` needs ${missing.length === 1 ? "the input" : "the inputs"} ${missing.map((key) => `\`${key}\``).join(", ")}`;
  const repair = `write \`inputs: { ${missing.map((key) => `${key}: ...`).join(", ")} }\``;
  diagnostics.error("LW-AGENT-INPUT", given ?? node, message, repair);
}

function missingInputs(program: Program, given: MapNode | undefined): readonly string[] {
  const { schema } = program.inputs;
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const declared = propertiesOf(schema);
  return required.filter(
    (key) => declared.get(key)?.["default"] === undefined && given?.entries.has(key) !== true,
  );
}

function checkInput(
  key: string,
  node: SpecNode,
  schema: JsonSchema,
  options: OptionsContext,
): void {
  const template = templateOf(node);
  if (template === undefined) {
    readLiteral(node, schema, options);
    return;
  }
  const wanted = shapeFromJsonSchema(schema);
  const [path] = template.paths;
  const found = path === undefined ? undefined : resolveShape(options.shape, path.path);
  // A path that leads nowhere is reported where the option is read.
  const shape: Shape = template.isWholeValue
    ? found?.ok === true
      ? found.shape
      : { kind: "any" }
    : { kind: "text" };
  if (fits(shape, wanted)) return;
  const message = `the input \`${key}\` is ${describeShape(wanted)}, and this is ${describeShape(shape)}`;
  const isPath = template.isWholeValue && path !== undefined && node.kind === "scalar";
  const at = isPath ? atOffset(node, path.offset, path.path.length) : node;
  const repair = isPath
    ? `name a path that leads to ${describeShape(wanted)}`
    : `write ${describeShape(wanted)}, or one \`{{ path }}\` alone, which keeps its type`;
  options.diagnostics.error("LW-AGENT-INPUT", at, message, repair);
}

/** The template in a text that reads something. */
function templateOf(node: SpecNode): Template | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string") return undefined;
  const parsed = parseTemplate(node.value);
  return parsed.ok && parsed.template.paths.length > 0 ? parsed.template : undefined;
}

// A list or a map is passed on as it is, templates inside it too; their types are the agent's to check.
function readLiteral(node: SpecNode, schema: JsonSchema, context: OptionsContext): void {
  if (node.kind !== "scalar") return;
  const owner = {
    name: "inputs",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const reader = openReader(owner, context);
  readValue(node, schema, "", reader);
}

/** Whether a value of one shape may be of another; what is not known may. */
function fits(given: Shape, wanted: Shape): boolean {
  if (given.kind === "any" || wanted.kind === "any") return true;
  const isText = (shape: Shape): boolean => shape.kind === "text" || shape.kind === "enum";
  if (given.kind === "enum" && wanted.kind === "enum")
    return given.values.some((value) => wanted.values.includes(value));
  if (isText(given) || isText(wanted)) return isText(given) && isText(wanted);
  if (given.kind === "list" && wanted.kind === "list") return fits(given.of, wanted.of);
  const isMap = (shape: Shape): boolean => shape.kind === "object" || shape.kind === "map";
  return given.kind === wanted.kind || (isMap(given) && isMap(wanted));
}
