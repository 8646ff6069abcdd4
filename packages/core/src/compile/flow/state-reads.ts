import type { Json, JsonObject } from "../../contracts/json.ts";
import type { Marker } from "../../contracts/schema.ts";
import type { StateField } from "../../contracts/state.ts";
import type { StrategyDefinition } from "../../contracts/strategy.ts";
import type { CheckEntry, CompiledStage } from "../../program/program.ts";
import { atOffset } from "../../spec/document/offset-position.ts";
import { markerOf, propertiesOf } from "../../spec/document/schema-parts.ts";
import { asJsonSchema } from "../../spec/document/spec-schemas.ts";
import type { Expression } from "../../spec/text/expression.ts";
import type { Position } from "../../spec/text/position.ts";
import { entry, type ScalarNode, type SpecNode } from "../../spec/text/spec-node.ts";
import type { Template } from "../../spec/text/template.ts";
import type { ReadStage } from "../read-stages.ts";

/** One place where a text or an expression of a spec reads the state. */
export interface StateRead {
  readonly path: string;
  /** The field of the state that stages write; missing for inputs, the task, results and bound names. */
  readonly field?: StateField;
  readonly at: Position & { readonly path: string };
  /** What reads, for a message: the guard, an option, a prompt. */
  readonly by: string;
  /** Conditions deal with a missing field by themselves: they are false then. */
  readonly isCondition: boolean;
  /** Before the stage starts, as it starts, before each round, or while it works. */
  readonly moment: "guard" | "start" | "round" | "inside";
}

type Source = Pick<StateRead, "by" | "moment">;
type Place = Position & { readonly path: string };

const readable: ReadonlySet<string> = new Set<StateField>([
  "plan",
  "observations",
  "answer",
  "verdict",
  "candidates",
  "lessons",
]);

/** The field of the state to which a path leads, if stages write it. */
function fieldOf(path: string): StateField | undefined {
  const root = path.split(/[.[]/, 1)[0] ?? "";
  return readable.has(root) ? (root as StateField) : undefined;
}

/** Everything that the guard, the options, the texts and the checks of a stage read. */
export function readsOfStage(
  stage: CompiledStage,
  site: ReadStage | undefined,
  checks: readonly CheckEntry[],
): readonly StateRead[] {
  const place: Place = { ...stage.position, path: stage.path };
  const name = `\`${stage.id}\``;
  const ofChecks = checksOf(stage, checks);
  const isReading = stage.templates.size > 0 || stage.expressions.size > 0 || ofChecks.length > 0;
  const texts = site === undefined || !isReading ? undefined : textsIn(site.options);
  const setting = (key: string): SpecNode | undefined =>
    site === undefined ? undefined : entry(site.settings, key);
  const reads: StateRead[] = [];
  if (stage.when !== undefined)
    reads.push(
      ...inExpression(stage.when, scalar(setting("when")), place, {
        by: `the guard of ${name}`,
        moment: "guard",
      }),
    );
  if (isReading) reads.push(...inOptions(stage, texts, place));
  for (const check of ofChecks) reads.push(...readsOfCheck(check, texts, place));
  const prompts = textsIn(setting("prompt"));
  for (const template of Object.values(stage.prompts))
    reads.push(
      ...inTemplate(template, prompts, place, { by: `the prompt of ${name}`, moment: "inside" }),
    );
  if (stage.instructions !== undefined) {
    const by = `\`instructions\` of ${name}`;
    const said = textsIn(setting("instructions"));
    reads.push(...inTemplate(stage.instructions, said, place, { by, moment: "inside" }));
  }
  return reads;
}

/** What the templates and expressions of one check read. */
export function readsOfCheck(check: CheckEntry, texts: Texts, place: Place): readonly StateRead[] {
  const source: Source = { by: `the check \`${check.definition.id}\``, moment: "inside" };
  return [
    ...[...check.templates.values()].flatMap((template) =>
      inTemplate(template, texts, place, source),
    ),
    ...[...check.expressions.values()].flatMap((expression) =>
      inExpression(expression, texts?.get(expression.source), place, source),
    ),
  ];
}

/** What a template reads; `node` says where it stands. */
export function readsOfTemplate(
  template: Template,
  node: SpecNode,
  by: string,
): readonly StateRead[] {
  return inTemplate(template, textsIn(node), node, { by, moment: "inside" });
}

/** What an expression reads; `node` says where it stands. */
export function readsOfExpression(
  expression: Expression,
  node: SpecNode,
  by: string,
): readonly StateRead[] {
  return inExpression(expression, scalar(node), node, { by, moment: "inside" });
}

/** The texts below a node by what they say. */
export type Texts = ReadonlyMap<string, ScalarNode> | undefined;

/** Finds every text below a node; of equal ones the first. */
export function textsIn(node: SpecNode | undefined): Texts {
  if (node === undefined) return undefined;
  const found = new Map<string, ScalarNode>();
  const visit = (inner: SpecNode): void => {
    if (inner.kind === "scalar") {
      const text = String(inner.value);
      if (!found.has(text)) found.set(text, inner);
    } else if (inner.kind === "list") inner.items.forEach(visit);
    else for (const { value } of inner.entries.values()) visit(value);
  };
  visit(node);
  return found;
}

function inOptions(stage: CompiledStage, texts: Texts, place: Place): readonly StateRead[] {
  const late = optionsWith(stage.definition, isLate);
  const templates = [...stage.templates].flatMap(([pointer, template]) => {
    const option = pointer.split("/")[1] ?? "";
    const moment = late.includes(option) ? "inside" : "start";
    const by = `\`${option}\` of \`${stage.id}\``;
    return inTemplate(template, textAt(stage.options, pointer, texts), place, { by, moment });
  });
  const expressions = [...stage.expressions.values()].flatMap((expression) => {
    const option = optionOf(stage.options, expression.source);
    const by = `\`${option}\` of \`${stage.id}\``;
    const moment = option === "until" ? "round" : "start";
    return inExpression(expression, texts?.get(expression.source), place, { by, moment });
  });
  return [...templates, ...expressions];
}

/** The checks that a stage names. */
export function checksOf(
  stage: CompiledStage,
  checks: readonly CheckEntry[],
): readonly CheckEntry[] {
  if (checks.length === 0) return [];
  return optionsWith(stage.definition, isListOfChecks).flatMap((option) => {
    const named = stage.options[option];
    return Array.isArray(named)
      ? (named as readonly Json[]).flatMap((one) => entryOf(one, checks))
      : [];
  });
}

type IsMarked = (marker: Marker | undefined) => boolean;

const isLate: IsMarked = (marker) => marker?.kind === "template" && marker.late === true;
const isListOfChecks: IsMarked = (marker) => marker?.kind === "checks";

// A spec names the same few strategies over and over.
const known = new WeakMap<StrategyDefinition, Map<IsMarked, readonly string[]>>();

/** The options of a strategy whose marker is wanted. */
function optionsWith(definition: StrategyDefinition, isWanted: IsMarked): readonly string[] {
  const ofDefinition = known.get(definition) ?? new Map<IsMarked, readonly string[]>();
  known.set(definition, ofDefinition);
  const options =
    ofDefinition.get(isWanted) ??
    [...propertiesOf(asJsonSchema(definition.options))].flatMap(([option, schema]) =>
      isWanted(markerOf(schema)) ? [option] : [],
    );
  ofDefinition.set(isWanted, options);
  return options;
}

function entryOf(reference: Json, checks: readonly CheckEntry[]): readonly CheckEntry[] {
  const instance = (reference as JsonObject)["instance"];
  const found = typeof instance === "number" ? checks[instance] : undefined;
  return found === undefined ? [] : [found];
}

function optionOf(options: JsonObject, source: string): string {
  return Object.entries(options).find(([, value]) => value === source)?.[0] ?? "an option";
}

function textAt(options: JsonObject, pointer: string, texts: Texts): Texts {
  const value = pointer
    .split("/")
    .slice(1)
    .reduce<Json | undefined>((inner, key) => childOf(inner, key), options);
  const node = typeof value === "string" ? texts?.get(value) : undefined;
  return node === undefined ? undefined : new Map([[String(node.value), node]]);
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as JsonObject)[key.replaceAll("~1", "/").replaceAll("~0", "~")];
}

function inExpression(
  expression: Expression,
  node: ScalarNode | undefined,
  place: Place,
  source: Source,
): readonly StateRead[] {
  const isCondition = expression.shape.kind === "boolean";
  return expression.places.map(({ path, start, end }) => {
    const at = node === undefined ? place : atOffset(node, start, end - start);
    return read(path, at, source, isCondition);
  });
}

function inTemplate(
  template: Template,
  texts: Texts,
  place: Place,
  source: Source,
): readonly StateRead[] {
  return template.paths.map(({ path, offset }) => {
    const node = texts === undefined ? undefined : textWith(path, offset, texts);
    const at = node === undefined ? place : atOffset(node, offset, path.length);
    return read(path, at, source, false);
  });
}

/** The first text that says a path at an offset. */
function textWith(path: string, offset: number, texts: NonNullable<Texts>): ScalarNode | undefined {
  for (const text of texts.values()) if (String(text.value).startsWith(path, offset)) return text;
  return undefined;
}

function read(path: string, at: Place, source: Source, isCondition: boolean): StateRead {
  const field = fieldOf(path);
  return {
    path,
    ...(field === undefined ? {} : { field }),
    at: {
      file: at.file,
      line: at.line,
      column: at.column,
      ...(at.endColumn === undefined ? {} : { endColumn: at.endColumn }),
      path: at.path,
    },
    ...source,
    isCondition,
  };
}

function scalar(node: SpecNode | undefined): ScalarNode | undefined {
  return node?.kind === "scalar" ? node : undefined;
}
