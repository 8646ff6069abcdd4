import type { Json } from "../../contracts/json.ts";
import { type Diagnostic, Diagnostics, type Position } from "../text/diagnostic.ts";
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
import { applyPatch, replaced } from "./apply-patch.ts";
import { isModelPath, withoutStaleParts } from "./stale-model-parts.ts";
import { mapFormOf, namedSections } from "./named-form.ts";
import { patchKey } from "./patch-key.ts";

/** Stands where a file would: what is set says its number as the line. */
const SET_FILE = "--set";

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
  return overrides.flatMap(({ path, value }, index) => {
    const at = { file: SET_FILE, line: index + 1, column: 1 };
    const keys = path.split(".");
    const said = typeof value === "string" ? collectionIn(value) : value;
    const node =
      typeof said === "string" ? typedLater(said, path, at) : nodeFromJson(said, at, path);
    const open = typeof said === "string" ? openBracket(said) : undefined;
    if (open !== undefined) {
      const message = `in the value of \`${path}\` the ${open} is not closed`;
      diagnostics.error("LW-SPEC-PATCH", node, message, "write like 'limits={ modelCalls: 4 }'");
      return [];
    }
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
  const node = parseYaml(sourceFromText(text, SET_FILE), faults);
  return node === undefined || faults.hasErrors ? text : toJson(node);
}

/** What a text that begins as a list or a map leaves open; undefined where it closes. */
function openBracket(text: string): "brace" | "bracket" | undefined {
  const first = /^\s*([[{])/.exec(text)?.[1];
  if (first === undefined) return undefined;
  const count = (character: string): number => text.split(character).length - 1;
  if (first === "{") return count("{") > count("}") ? "brace" : undefined;
  return count("[") > count("]") ? "bracket" : undefined;
}

/** Findings about what is set, each with the path that it was set by in place of a line. */
export function namingOverrides(
  found: readonly Diagnostic[],
  overrides: readonly { readonly path: string }[],
): readonly Diagnostic[] {
  return found.map((one) => {
    const said = one.file === SET_FILE ? overrides[one.line - 1] : undefined;
    return said === undefined ? one : { ...one, file: `${SET_FILE} ${said.path}`, line: 1 };
  });
}

/** Sets values in a map, making the maps on the way; what is not a map there is reported. */
export function setValues(
  node: MapNode,
  values: readonly SetValue[],
  diagnostics: Diagnostics,
): MapNode {
  // A price may be set before the model that it belongs to.
  const ground = values.reduce((map, { path, node: use }) => {
    const isUse = path.at(-1) === "use" && isModelPath(path.slice(0, -1));
    return isUse
      ? changedAt(map, path.slice(0, -1), (model) => withoutStaleParts(model, use))
      : map;
  }, node);
  return values.reduce(
    (map, { path, node: value }) => setOne(map, path, value, diagnostics),
    ground,
  );
}

/** A map whose map at a path is changed; as it is where none stands there. */
function changedAt(
  map: MapNode,
  [key, ...rest]: readonly string[],
  change: (inner: MapNode) => MapNode,
): MapNode {
  if (key === undefined) return change(map);
  const known = map.entries.get(key);
  if (known?.value.kind !== "map") return map;
  return withEntry(map, key, { ...known, value: changedAt(known.value, rest, change) });
}

function setOne(
  map: MapNode,
  path: readonly string[],
  value: SpecNode,
  diagnostics: Diagnostics,
): MapNode {
  const [key, ...rest] = path;
  if (key === undefined) return map;
  if (rest.length === 0 && patchKey(key).does !== "set") {
    const said = { key: keyNode(value, childPath(map.path, key), key), value };
    return applyPatch(map, { ...map, entries: new Map([[key, said]]) }, { diagnostics });
  }
  const known = map.entries.get(key);
  const at = known?.key ?? keyNode(value, childPath(map.path, key), key);
  if (rest.length === 0) {
    const said = {
      key: { ...at, ...placeOf(value) },
      value: { ...value, path: at.path },
    };
    return withEntry(map, key, replaced(known, said));
  }
  const inner = innerMap(map, key, known?.value) ?? {
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
      `set \`${key}\` as a whole`,
    );
    return map;
  }
  const changed = setOne(inner, rest, value, diagnostics);
  return withEntry(map, key, { ...known, key: at, value: changed });
}

/** A section that is a list of ids is set by name, as if it were a map. */
function innerMap(map: MapNode, key: string, known: SpecNode | undefined): SpecNode | undefined {
  const isNamed = map.path === "" && namedSections.has(key);
  return known?.kind === "list" && isNamed ? (mapFormOf(known) ?? known) : known;
}

function withEntry(map: MapNode, key: string, said: MapEntry): MapNode {
  return { ...map, entries: new Map([...map.entries, [key, said]]) };
}

function typedLater(text: string, path: string, at: Position): ScalarNode {
  return {
    kind: "scalar",
    ...at,
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
