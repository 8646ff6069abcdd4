import { statSync } from "node:fs";
import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Marker } from "../../contracts/schema.ts";
import { durationText } from "../text/duration-text.ts";
import { missingFileRepair } from "../text/missing-file.ts";
import { readFields } from "../text/fields.ts";
import type { PathPlace } from "../text/path-place.ts";
import { positionOf, toJson, type SpecNode } from "../text/spec-node.ts";
import { didYouMean } from "../text/suggest.ts";
import { pathsOf } from "../text/template.ts";
import { parseCount, parseDuration } from "../text/units.ts";
import { isUnset, labelOf, shownValue, writeInstead } from "./node-text.ts";
import { atOffset } from "./offset-position.ts";
import type { OptionsContext, Reader } from "./options-context.ts";
import { readExpression } from "./read-expression.ts";
import { readTemplate } from "./read-template.ts";
import { isInRange, readBoundedText, readText } from "./read-scalar.ts";
import { refuseSecret } from "./read-secret.ts";
import { resolvePath } from "./resolve-path.ts";
import { unwritable, unwritableRepair } from "./unwritable.ts";

/** Reads a value whose schema carries a marker; undefined when an error was reported. */
export function readMarked(
  node: SpecNode,
  marker: Marker,
  schema: JsonSchema,
  pointer: string,
  reader: Reader,
): Json | undefined {
  const { context } = reader;
  switch (marker.kind) {
    case "duration":
      return readDuration(node, schema, reader);
    case "count":
      return readCount(node, schema, reader);
    case "expression": {
      const expression = readExpression(node, context.shape, marker.result, context.diagnostics);
      if (expression === undefined) return undefined;
      reader.expressions.set(expression.source, expression);
      record(expression.places, node, false, reader);
      return expression.source;
    }
    case "template":
      return readMarkedTemplate(node, marker.late === true, pointer, reader);
    case "secret":
      context.diagnostics.judgeSecret(node);
      return readBoundedText(node, schema, context.diagnostics);
    case "path":
      if (marker.writes === true) return readWritablePath(node, context);
      return marker.exists === true ? readFilePath(node, context) : readPath(node, context);
    case "spec":
      return readFilePath(node, context);
    case "checks":
      return context.readChecks(node).map(({ check, instance }) => ({ check, instance }));
    case "memory":
      return readMemoryName(node, reader);
    case "fields":
      return readFields(node, context.diagnostics)?.schema;
    default:
      return refuseSecret(node, context.diagnostics) ? undefined : toJson(node);
  }
}

function readMarkedTemplate(
  node: SpecNode,
  isLate: boolean,
  pointer: string,
  reader: Reader,
): string | undefined {
  const { context } = reader;
  const option = pointer.split("/")[1] ?? "";
  const shape = isLate ? (context.lateShape?.(option) ?? context.shape) : context.shape;
  const template = readTemplate(node, shape, context.diagnostics);
  if (template === undefined || node.kind !== "scalar") return undefined;
  reader.templates.set(pointer, template);
  record(pathsOf(template), node, isLate, reader);
  return String(node.value);
}

function record(
  places: readonly PathPlace[],
  node: SpecNode,
  isLate: boolean,
  reader: Reader,
): void {
  if (node.kind !== "scalar") return;
  for (const { path, start, end } of places)
    reader.reads.push({ path, at: positionOf(atOffset(node, start, end - start)), isLate });
}

function readPath(node: SpecNode, context: OptionsContext): string | undefined {
  const text = refuseSecret(node, context.diagnostics)
    ? undefined
    : readText(node, context.diagnostics);
  return text === undefined
    ? undefined
    : resolvePath(node, text, context.root, context.diagnostics);
}

function readWritablePath(node: SpecNode, context: OptionsContext): string | undefined {
  const absolute = readPath(node, context);
  return absolute === undefined || refuseUnwritable(node, absolute, context) ? undefined : absolute;
}

/** Reports a path at which no file can be written; returns whether it did. */
export function refuseUnwritable(
  node: SpecNode,
  absolute: string,
  { diagnostics, root }: Pick<OptionsContext, "diagnostics" | "root">,
): boolean {
  const fault = unwritable(absolute, root);
  if (fault === undefined) return false;
  const message = `${shownPath(node)} can't be written: ${fault}`;
  diagnostics.error("LW-FILE-UNWRITABLE", node, message, unwritableRepair(absolute, node));
  return true;
}

// Quotes tell a text from a number, which no path is taken for.
function shownPath(node: SpecNode): string {
  return shownValue(node.kind === "scalar" ? { ...node, style: "plain" } : node);
}

// What holds the id of a run is known only to the run.
function readFilePath(node: SpecNode, context: OptionsContext): string | undefined {
  const absolute = readPath(node, context);
  if (absolute === undefined || absolute.includes("${run:")) return absolute;
  const there = statSync(absolute, { throwIfNoEntry: false });
  if (there?.isFile() === true) return absolute;
  const isFolder = there?.isDirectory() === true;
  context.diagnostics.error(
    "LW-FILE-MISSING",
    node,
    `${shownPath(node)} is ${isFolder ? "a folder, not a file" : "no file"}`,
    isFolder ? "name a file in it" : missingFileRepair(absolute, context.root, node.file),
  );
  return undefined;
}

function readDuration(node: SpecNode, schema: JsonSchema, reader: Reader): number | undefined {
  const { diagnostics } = reader.context;
  if (isUnset(node)) return undefined;
  const ms = node.kind === "scalar" ? parseDuration(node.value) : undefined;
  if (ms !== undefined)
    return isInRange(ms, schema, node, diagnostics, durationText) ? ms : undefined;
  const isBare = node.kind === "scalar" && /^\d+(\.\d+)?$/.test(node.text.replaceAll(/["']/g, ""));
  const bare = isBare ? node.text.replaceAll(/["']/g, "") : "";
  const message = isBare
    ? `a duration needs a unit: ${bare}s? ${bare}ms?`
    : `\`${labelOf(node)}\` is a duration, not ${shownValue(node)}`;
  const repair = isBare
    ? writeInstead(node, `${bare}s`)
    : "write a number and one of ms, s, m, h, d, like 500ms or 2m";
  diagnostics.error("LW-VALUE-DURATION", node, message, repair);
  return undefined;
}

function readCount(node: SpecNode, schema: JsonSchema, reader: Reader): number | undefined {
  const { diagnostics } = reader.context;
  if (isUnset(node)) return undefined;
  const isQuoted =
    node.kind === "scalar" &&
    node.style === "quoted" &&
    node.fromEnv !== true &&
    /^\d+$/.test(String(node.value));
  const count = node.kind === "scalar" && !isQuoted ? parseCount(node.value) : undefined;
  if (count !== undefined) return isInRange(count, schema, node, diagnostics) ? count : undefined;
  if (isQuoted) {
    const message = `\`${labelOf(node)}\` is a count; the quotes around ${shownValue(node)} make it text`;
    diagnostics.error(
      "LW-VALUE-NUMBER-EXPECTED",
      node,
      message,
      writeInstead(node, String(node.value)),
    );
    return undefined;
  }
  const message = `\`${labelOf(node)}\` is a count, not ${shownValue(node)}`;
  diagnostics.error("LW-VALUE-COUNT", node, message, "write a whole number, like 2000, 200k or 2M");
  return undefined;
}

function readMemoryName(node: SpecNode, reader: Reader): string | undefined {
  const { diagnostics, memories } = reader.context;
  const name = readText(node, diagnostics);
  if (name === undefined || memories.includes(name)) return name;
  const known =
    memories.length === 0 ? "this spec lists no `memory`" : `memories here: ${memories.join(", ")}`;
  const message = `no memory is called \`${name}\``;
  diagnostics.error("LW-SPEC-MEMORY", node, message, didYouMean(name, memories) ?? known);
  return undefined;
}
