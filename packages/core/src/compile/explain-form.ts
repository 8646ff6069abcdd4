import type { Dialect } from "../contracts/schema-dialect.ts";
import type { ConstraintLayer, ModelDescription } from "../contracts/provider.ts";
import { envelopeSchema } from "../output/answer-envelope.ts";
import type { CompiledStage, ModelEntry, OutputDeclaration, Program } from "../program/program.ts";
import { compileDialect } from "../structured/compile-dialect.ts";
import { typesOf } from "../structured/dialects/schema-reading.ts";
import type { ExplainedForm } from "./explain-tree.ts";
import { reachableModels } from "./program-bounds.ts";
import { ownGenerations } from "./stage-bounds.ts";

/** How each model of a program and of the agents in it is asked for the declared output; only those that may answer and whose provider tells. */
export function explainForms(program: Program): ReadonlyMap<ModelEntry, ExplainedForm> {
  const inner = [...(program.agents?.values() ?? [])].flatMap((agent) => [...explainForms(agent)]);
  const forms = new Map<ModelEntry, ExplainedForm>(inner);
  const { output } = program;
  if (output === undefined) return forms;
  const answering = [...program.stages.values()].filter(mayAnswer);
  const besideTools = new Set(reachableModels(answering.filter(({ tools }) => tools.length > 0)));
  for (const model of reachableModels(answering)) {
    const form = formOf(model, output, besideTools.has(model));
    if (form !== undefined) forms.set(model, form);
  }
  return forms;
}

/** Whether a stage asks a model itself, and may set the answer with what it says. */
function mayAnswer({ definition, options, slots, flow }: CompiledStage): boolean {
  const [, own] = ownGenerations(definition, options, Object.keys(slots));
  return own > 0 && [...(flow.sets ?? []), ...(flow.maySet ?? [])].includes("answer");
}

function formOf(
  entry: ModelEntry,
  output: OutputDeclaration,
  hasTools: boolean,
): ExplainedForm | undefined {
  const { definition, profile, options, structured: wanted } = entry;
  const told = definition.describe?.(profile, options, entry);
  if (told?.structured === undefined) return undefined;
  const top = lowest(told.structured, wanted, output.reasoning === "free" ? "prompt" : undefined);
  const form = top === "json-schema" ? bySchema(output, told.dialect) : { layer: top };
  const isAlone = told.isSchemaAloneOnly === true && hasTools && form.layer !== "prompt";
  return isAlone ? { ...form, besideTools: "prompt" } : form;
}

/** What a dialect makes of the schema: what it can't say is told in words, and a schema that it can't say goes a layer down. */
function bySchema(
  output: OutputDeclaration,
  dialect: ModelDescription["dialect"] = "none",
): ExplainedForm {
  const schema = envelopeSchema(output, output.reasoning === "first");
  const { rejected, lossy } = compileDialect(schema, dialect);
  const named: { readonly dialect?: Dialect } = dialect === "none" ? {} : { dialect };
  const [refusal] = rejected;
  if (refusal === undefined) {
    const inWords = lossy.map(({ keyword, path }) =>
      path === "" ? keyword : `${keyword} at ${path}`,
    );
    return { layer: "json-schema", ...named, inWords: [...new Set(inWords)] };
  }
  // JSON modes make objects and nothing else.
  const isObject = typesOf(schema)?.every((type) => type === "object") === true;
  const why = refusal.path === "" ? refusal.message : `\`${refusal.path}\` ${refusal.message}`;
  return { layer: isObject ? "json-mode" : "prompt", why: `${dialect} can't say it: ${why}` };
}

const ladder: readonly ConstraintLayer[] = ["prompt", "json-mode", "json-schema"];

/** The lowest of the layers that are given. */
function lowest(...layers: readonly (ConstraintLayer | undefined)[]): ConstraintLayer {
  return ladder.find((layer) => layers.includes(layer)) ?? "prompt";
}
