import type { Json } from "../../contracts/json.ts";
import type { Position } from "./position.ts";

/** One value of a spec together with the place where it was written. */
export type SpecNode = ScalarNode | ListNode | MapNode;

interface NodeBase extends Position {
  /** The place inside the spec, like `strategy[1].verify.maxRounds`. */
  readonly path: string;
  /** The overlay that says it; missing for the file itself. */
  readonly overlay?: string;
}

/** A text, number or boolean. */
export interface ScalarNode extends NodeBase {
  readonly kind: "scalar";
  readonly value: string | number | boolean;
  /** The source text, so that `1.10` or `007` can be shown as written. */
  readonly text: string;
  readonly style: "plain" | "quoted" | "block";
  /** Set when the whole scalar came from `${env:…}`: a typed read may convert the text to a number or boolean. */
  readonly fromEnv?: true;
  /** The variable that gave the whole value. */
  readonly env?: string;
  /** Set where the value can't be had (an unset variable, a fault of YAML), which is told: readers say nothing more about it. */
  readonly isUnset?: true;
  /** Of a block scalar: the spaces before each of its lines, for exact columns. */
  readonly blockIndent?: number;
  /** Of a block scalar: for each of its lines in the file, the offset in `value` where its text begins; -1 for an empty one. */
  readonly blockLines?: readonly number[];
  /** Set for null in a JSON data file; `value` is then the empty text. A spec itself has no null. */
  readonly isNull?: true;
}

/** A list. */
export interface ListNode extends NodeBase {
  readonly kind: "list";
  readonly items: readonly SpecNode[];
}

/** A map, in the order of the file. */
export interface MapNode extends NodeBase {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, MapEntry>;
}

/** A key with its own place, and its value. */
export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: SpecNode;
  /** What stood here before a later layer replaced it. */
  readonly was?: SpecNode;
  /** What stood here before that, the latest first. */
  readonly earlier?: readonly SpecNode[];
}

/** How deep values may be nested, in a spec and in the data files it reads. */
export const maxDepth: number = 64;

/** Returns the plain data of a node; a key like `__proto__` becomes an ordinary property. */
export function toJson(node: SpecNode): Json {
  if (node.kind === "scalar") return node.isNull === true ? null : node.value;
  if (node.kind === "list") return node.items.map(toJson);
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, toJson(value)]));
}

/** Builds a node from plain data, every part of it at one position; what is nested deeper than `maxDepth` becomes null. */
export function nodeFromJson(value: Json, at: Position, path: string): SpecNode {
  return build(value, positionOf(at), path, 0);
}

/** Makes a scalar; written out, because a file has thousands of them and copying objects takes a third of reading it. */
export function scalarNode(
  at: Position,
  said: Pick<ScalarNode, "path" | "value" | "text" | "style">,
): ScalarNode {
  const { file, line, column, endColumn } = at;
  const { path, value, text, style } = said;
  return endColumn === undefined
    ? { file, line, column, kind: "scalar", path, value, text, style }
    : { file, line, column, endColumn, kind: "scalar", path, value, text, style };
}

/** Stands for a value that can't be had, where that is told. */
export function lostNode(at: Position, path: string): ScalarNode {
  return { ...at, kind: "scalar", path, value: "", text: "", style: "plain", isUnset: true };
}

/** Returns the value under a key, or undefined. */
export function entry(node: MapNode, key: string): SpecNode | undefined {
  return node.entries.get(key)?.value;
}

/** Returns the path of a child: `base.key`, or `base["key"]` when the key itself holds a dot, bracket or space. */
export function childPath(base: string, key: string | number): string {
  if (typeof key === "number") return `${base}[${key}]`;
  if (/[.[\]\s"]/.test(key) || key === "") return `${base}[${JSON.stringify(key)}]`;
  return base === "" ? key : `${base}.${key}`;
}

/** Returns only the position of something that has one. */
export function positionOf(at: Position): Position {
  const { file, line, column, endColumn } = at;
  return endColumn === undefined ? { file, line, column } : { file, line, column, endColumn };
}

function build(value: Json, at: Position, path: string, depth: number): SpecNode {
  if (value === null || depth > maxDepth)
    return { kind: "scalar", ...at, path, value: "", text: "null", style: "plain", isNull: true };
  if (typeof value === "string")
    return { kind: "scalar", ...at, path, value, text: value, style: "quoted" };
  if (typeof value !== "object")
    return { kind: "scalar", ...at, path, value, text: String(value), style: "plain" };
  if (isList(value)) {
    return {
      kind: "list",
      ...at,
      path,
      items: value.map((item, index) => build(item, at, childPath(path, index), depth + 1)),
    };
  }
  const entries = new Map<string, MapEntry>();
  for (const [key, item] of Object.entries(value)) {
    const itemPath = childPath(path, key);
    entries.set(key, {
      key: { kind: "scalar", ...at, path: itemPath, value: key, text: key, style: "plain" },
      value: build(item, at, itemPath, depth + 1),
    });
  }
  return { kind: "map", ...at, path, entries };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
