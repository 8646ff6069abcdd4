import type { Json } from "../../contracts/json.ts";
import { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";
import {
  childPath,
  type MapEntry,
  type MapNode,
  nodeFromJson,
  type ScalarNode,
  type SpecNode,
  toJson,
} from "../text/spec-node.ts";

/** A value set over the file, by its path in the spec. */
export interface SetValue {
  readonly path: readonly string[];
  readonly node: SpecNode;
}

/** Reads `--set` values: text is typed by the field that it sets. */
export function readOverrides(
  overrides: readonly { readonly path: string; readonly value: Json }[],
  diagnostics: Diagnostics,
): readonly SetValue[] {
  return overrides.flatMap(({ path, value }) => {
    const at = { file: "--set", line: 1, column: 1 };
    const keys = path.split(".");
    const said = typeof value === "string" ? collectionIn(value) : value;
    const node = typeof said === "string" ? typedLater(said, path) : nodeFromJson(said, at, path);
    if (keys.every((key) => key !== "")) return [{ path: keys, node }];
    diagnostics.error(
      "LW-SPEC-PATCH",
      node,
      `\`${path}\` is no path of a spec`,
      "write like stages.react.maxSteps=4",
    );
    return [];
  });
}

/** A list or a map, written as in a spec; other text as it is. */
function collectionIn(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  const faults = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "--set"), faults);
  return node === undefined || faults.hasErrors ? text : toJson(node);
}

/** Sets values in a map, making the maps on the way; what is not a map there is reported. */
export function setValues(
  node: MapNode,
  values: readonly SetValue[],
  diagnostics: Diagnostics,
): MapNode {
  return values.reduce((map, { path, node: value }) => setOne(map, path, value, diagnostics), node);
}

function setOne(
  map: MapNode,
  path: readonly string[],
  value: SpecNode,
  diagnostics: Diagnostics,
): MapNode {
  const [key, ...rest] = path;
  if (key === undefined) return map;
  const known = map.entries.get(key);
  const at = known?.key ?? keyNode(value, childPath(map.path, key), key);
  if (rest.length === 0)
    return withEntry(map, key, {
      key: { ...at, ...placeOf(value) },
      value: { ...value, path: at.path },
    });
  const inner = known?.value ?? {
    kind: "map",
    ...placeOf(value),
    path: at.path,
    entries: new Map(),
  };
  if (inner.kind !== "map") {
    diagnostics.error(
      "LW-SPEC-PATCH",
      value,
      `\`${value.path}\` cannot be set: \`${key}\` is not a map in this spec`,
    );
    return map;
  }
  return withEntry(map, key, { key: at, value: setOne(inner, rest, value, diagnostics) });
}

function withEntry(map: MapNode, key: string, said: MapEntry): MapNode {
  return { ...map, entries: new Map([...map.entries, [key, said]]) };
}

function typedLater(text: string, path: string): ScalarNode {
  return {
    kind: "scalar",
    file: "--set",
    line: 1,
    column: 1,
    path,
    value: text,
    text,
    style: "plain",
    fromEnv: true,
  };
}

function keyNode(value: SpecNode, path: string, key: string): ScalarNode {
  return { kind: "scalar", ...placeOf(value), path, value: key, text: key, style: "plain" };
}

function placeOf({ file, line, column }: SpecNode): { file: string; line: number; column: number } {
  return { file, line, column };
}
