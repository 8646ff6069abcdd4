import type { EventData } from "../contracts/event.ts";
import type { Json, JsonSchema } from "../contracts/json.ts";
import type { Capabilities, ConstraintLayer, Provider } from "../contracts/provider.ts";
import { isLoopwrightError, messageOf } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { ModelEntry } from "../program/program.ts";
import {
  type CompiledDialect,
  compileDialect,
  type Dialect,
} from "../structured/compile-dialect.ts";
import { typesOf } from "../structured/dialects/schema-reading.ts";
import type { ModelRequest } from "./model-request.ts";
import { layerAfter, lowestLayer } from "./constraint-layers.ts";
import type { Frame } from "./run-scope.ts";

/** How one model is asked for a schema. */
export interface Constraint {
  readonly layer: ConstraintLayer;
  /** The schema in the dialect of the endpoint. */
  readonly schema: JsonSchema;
  /** The one that the schema is in; left out where it is sent as it is. */
  readonly dialect?: Dialect;
  /** The longest reply to ask for, where the spec says none and the endpoint needs one. */
  readonly maxTokens?: number;
}

/** What a request says of its form. */
type Asked = Pick<ModelRequest, "tools" | "sampling"> & {
  readonly output: NonNullable<ModelRequest["output"]>;
};

/**
 * How a model is asked for the schema of a request: on the highest layer that its provider, the spec and what the endpoint
 * has said allow. A schema that the endpoint's dialect can't say goes a layer down too; a bad answer moves nothing.
 */
export function constraintFor(
  frame: Frame,
  scope: Scope,
  entry: ModelEntry,
  provider: Provider,
  { output, tools, sampling }: ModelRequest,
): Constraint | undefined {
  if (output === undefined) return undefined;
  const asked = { output, tools, sampling };
  const capabilities = provider.capabilities(entry.model);
  const top = lowestLayer(
    capabilities.structured,
    entry.structured,
    output.layer,
    frame.run.linked.calls.layers.get(placeOf(frame, entry, provider)),
  );
  if (capabilities.isSchemaAloneOnly === true && tools.length > 0) return onPrompt(asked);
  if (top === "json-schema") {
    const { dialect = "none" } = capabilities;
    const compiled = compileOnce(output.schema, dialect);
    const [refusal] = compiled.rejected;
    if (refusal === undefined) {
      tellLoosened(frame, scope, { model: entry.id, schema: output.name, dialect }, compiled);
      return { layer: top, schema: compiled.schema, ...(dialect === "none" ? {} : { dialect }) };
    }
    const lower = belowSchema(asked, entry, capabilities);
    const part = refusal.path === "" ? "" : `\`${refusal.path}\` `;
    const reason = `the schema \`${output.name}\` can't be said in the dialect ${dialect}: ${part}${refusal.message}`;
    const lowered = { model: entry.id, from: top, to: lower.layer, reason };
    tellOnce(frame, scope, "constraint.lowered", lowered);
    return lower;
  }
  return top === "json-mode" ? belowSchema(asked, entry, capabilities) : onPrompt(asked);
}

/** Gives an answer that was asked for in a dialect the form of the whole schema. */
export function undoOf(schema: JsonSchema, dialect: Dialect): (answer: Json) => Json {
  return compileOnce(schema, dialect).undo;
}

/** Notes what a refusal says about the endpoint, and tells it; returns whether the call may be made again on a lower layer. */
export function lowerConstraint(
  frame: Frame,
  scope: Scope,
  entry: ModelEntry,
  provider: Provider,
  { layer }: Constraint,
  fault: Error,
): boolean {
  const { lacks, replayed } = isLoopwrightError(fault) ? fault.details : {};
  // A recording tells what its own endpoint lacked, whatever this call was asked on.
  const isReplayed = replayed === true;
  const from = isReplayed ? (lacks as ConstraintLayer) : layer;
  const to = layerAfter(fault, from);
  if (to === undefined) return false;
  const { layers } = frame.run.linked.calls;
  const place = placeOf(frame, entry, provider);
  // Calls beside this one may have learned more.
  if (!isReplayed) layers.set(place, lowestLayer(to, layers.get(place)));
  // Told for every call that is made again, so that a recording holds why.
  const told = { model: entry.id, from, to, reason: serverWords(fault) };
  frame.run.bus.emit("constraint.lowered", told, scope);
  return true;
}

/** The endpoint's own words where the provider hands them over: what it advises beside them is done. */
function serverWords(fault: Error): string {
  const { serverMessage } = isLoopwrightError(fault) ? fault.details : {};
  return typeof serverMessage === "string" ? serverMessage : messageOf(fault);
}

/** JSON mode, where it can hold the answer; else words alone. */
function belowSchema(asked: Asked, entry: ModelEntry, { jsonTokens }: Capabilities): Constraint {
  const { output, sampling } = asked;
  // JSON modes make objects and nothing else.
  if (typesOf(output.schema)?.some((type) => type !== "object") !== false) return onPrompt(asked);
  const isSaid = (sampling.maxTokens ?? entry.sampling.maxTokens) !== undefined;
  return {
    layer: "json-mode",
    schema: output.schema,
    ...(isSaid || jsonTokens === undefined ? {} : { maxTokens: jsonTokens }),
  };
}

function onPrompt({ output }: Asked): Constraint {
  return { layer: "prompt", schema: output.schema };
}

const compiled = new WeakMap<JsonSchema, Map<Dialect, CompiledDialect>>();

function compileOnce(schema: JsonSchema, dialect: Dialect): CompiledDialect {
  const known = compiled.get(schema) ?? new Map<Dialect, CompiledDialect>();
  compiled.set(schema, known);
  const made = known.get(dialect) ?? compileDialect(schema, dialect);
  known.set(dialect, made);
  return made;
}

function placeOf(frame: Frame, entry: ModelEntry, provider: Provider): string {
  const { calls, clock } = frame.run.linked;
  return calls.of(entry, provider, clock).endpoint;
}

function tellLoosened(
  frame: Frame,
  scope: Scope,
  where: Omit<EventData["constraint.loosened"], "parts">,
  { lossy }: CompiledDialect,
): void {
  if (lossy.length === 0) return;
  const parts = lossy.map(({ keyword, path }) => (path === "" ? keyword : `${keyword} at ${path}`));
  tellOnce(frame, scope, "constraint.loosened", { ...where, parts });
}

function tellOnce<N extends "constraint.lowered" | "constraint.loosened">(
  frame: Frame,
  scope: Scope,
  name: N,
  data: EventData[N],
): void {
  const { told, bus } = frame.run;
  const mark = JSON.stringify([name, data]);
  if (told.has(mark)) return;
  told.add(mark);
  bus.emit(name, data, scope);
}
