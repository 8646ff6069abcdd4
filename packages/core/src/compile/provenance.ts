import type { Json } from "../contracts/json.ts";
import type { Program } from "../program/program.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import type { Position } from "../spec/text/position.ts";
import { type MapNode, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { ModelOverride } from "./compile-settings.ts";
import { limitsSchema } from "../spec/document/spec-schemas.ts";
import { shownAt } from "./hide-secrets.ts";
import { shownJson } from "./shown-address.ts";
import type { SpecIndex } from "./spec-index.ts";
import { type Default, optionsOf, rootDefault, stageDefault } from "./spec-defaults.ts";
import { splitPath } from "./spec-path.ts";
import { entryAt, type Found, namesIn } from "./entry-at.ts";

/** One value that a place of a spec had, and who said it. */
export interface Saying {
  readonly value: Json;
  readonly origin: "default" | "file" | "overlay" | "env" | "set";
  /** The overlay, the variable, or the plugin that gives a default. */
  readonly by?: string;
  /** Missing for a default. */
  readonly at?: Position;
  /** Set where what is written there can't be read: `value` is then null, or the `${…}` that gives nothing. */
  readonly isLost?: true;
}

/** A value of a spec as it holds, and what it replaced, the latest first. */
export interface Provenance extends Saying {
  readonly path: string;
  readonly was: readonly Saying[];
  /** What a map or list is made of, where it was not all said at one place. */
  readonly parts: readonly Provenance[];
}

/** Where a value comes from, or why there is none at a path. */
export type TracedPath =
  | { readonly ok: true; readonly provenance: Provenance }
  | { readonly ok: false; readonly message: string; readonly suggestion?: string };

/** What a command knows beside the spec. */
export interface TraceSettings {
  /** Gives defaults that depend on more than one place, like those of tool policies. */
  readonly program?: Program;
  readonly models?: readonly ModelOverride[];
}

/** Says what stands at a path of a spec (`limits.usd`, `stages.react.maxSteps`), who said it, and what it replaced. */
export function provenanceOf(
  index: SpecIndex,
  path: string,
  settings: TraceSettings = {},
): TracedPath {
  const traced = tracePath(index, path, settings);
  if (!traced.ok) return traced;
  return { ok: true, provenance: shown(traced.provenance, index.secretOptions) };
}

/** The same story without a value of an option that is marked secret. */
function shown(said: Provenance, names: ReadonlySet<string>): Provenance {
  const keys = splitPath(said.path);
  const value = shownAt(said.value, keys, names);
  const was = said.was.map((before) => ({ ...before, value: shownAt(before.value, keys, names) }));
  return { ...said, value, was, parts: said.parts.map((part) => shown(part, names)) };
}

function tracePath(index: SpecIndex, path: string, settings: TraceSettings): TracedPath {
  const [first, ...rest] = splitPath(path);
  if (index.root === undefined) return { ok: false, message: "the spec can't be read" };
  if (first === undefined)
    return { ok: false, message: "the path is empty", suggestion: "name one, like `limits.usd`" };
  if (first === "stages") return traceStage(index, path, rest, settings);
  const stage = first === "strategy" ? stageKeys(index, [first, ...rest]) : undefined;
  if (stage !== undefined) return traceStage(index, path, stage, settings);
  const shared =
    first === "tools" ? entryAt(index.root, ["toolPolicy", ...rest.slice(1)]) : undefined;
  const traced = traceInside(index.root, [first, ...rest], {
    path,
    below: rest.length > 1 ? shared : undefined,
    defaultOf: (keys) => rootDefault(keys, settings.program),
    further: [],
  });
  return traced.ok ? { ok: true, provenance: overModel(traced.provenance, settings) } : traced;
}

function traceStage(
  index: SpecIndex,
  path: string,
  [id, ...keys]: readonly string[],
  settings: TraceSettings,
): TracedPath {
  const site = id === undefined ? undefined : index.stages.get(id);
  const ids = [...index.stages.keys()];
  if (id === undefined || site === undefined) {
    const message = id === undefined ? "`stages` needs an id" : `no stage is called \`${id}\``;
    const suggestion = didYouMean(id ?? "", ids) ?? `stages here: ${ids.join(", ")}`;
    return { ok: false, message, suggestion };
  }
  const entries = new Map([...site.settings.entries, ...site.options.entries]);
  const body: MapNode = { ...site.options, ...positionOf(site.at), entries };
  if (keys.length === 0) return { ok: true, provenance: provenanceFrom(path, { value: body }) };
  return traceInside(body, keys, {
    path,
    below: undefined,
    defaultOf: (inner) => stageDefault(site, inner, settings.program),
    further: optionsOf(site),
  });
}

/** The id and the option of a stage that is named by its place: what overlays say of stages stands there too. */
function stageKeys(index: SpecIndex, keys: readonly string[]): readonly string[] | undefined {
  for (let length = keys.length - 1; length > 1; length -= 1) {
    const place = keys.slice(0, length).join(" ");
    const site = [...index.stages.values()].find(({ at }) => stagePlace(at.path) === place);
    if (site !== undefined) return [site.id, ...keys.slice(length)];
  }
  return undefined;
}

function stagePlace(path: string): string {
  const [first, , ...rest] = splitPath(path);
  return (first === "overlays" ? rest : splitPath(path)).join(" ");
}

interface Trace {
  readonly path: string;
  /** What holds where the place itself says nothing: the policy of all tools. */
  readonly below: Found | undefined;
  /** Names that could stand there, beside those that do. */
  readonly further: readonly string[];
  defaultOf(keys: readonly string[]): Default;
}

function traceInside(root: MapNode, keys: readonly string[], trace: Trace): TracedPath {
  const { path, below } = trace;
  const known = trace.defaultOf(keys);
  const own = entryAt(root, keys);
  const [said, ...under] = [own, below].filter((found) => found !== undefined);
  if (said !== undefined) {
    const provenance = provenanceFrom(path, said);
    const was = [
      ...provenance.was,
      ...under.map(({ value }) => sayingOf(value)),
      ...(known === undefined ? [] : [{ ...known, origin: "default" as const }]),
    ];
    return { ok: true, provenance: { ...provenance, was } };
  }
  if (known !== undefined) {
    const provenance = { ...known, path, origin: "default" as const, was: [], parts: [] };
    return { ok: true, provenance };
  }
  const lost = lostAbove(root, keys);
  if (lost !== undefined) return { ok: false, message: lost };
  return isLimit(path) ? { ok: false, message: noLimit } : missing(root, keys, trace.further);
}

/** Says that what the path leads through can't be read; undefined where it can. */
function lostAbove(root: MapNode, keys: readonly string[]): string | undefined {
  for (let depth = 1; depth < keys.length; depth += 1) {
    const above = entryAt(root, keys.slice(0, depth))?.value;
    if (above !== undefined && isLost(above))
      return `\`${keys.slice(0, depth).join(".")}\` (line ${above.line}) can't be read`;
  }
  return undefined;
}

const noLimit = "not set, so there is no limit";

function isLimit(path: string): boolean {
  const [section, name = "", ...rest] = splitPath(path);
  return section === "limits" && rest.length === 0 && propertiesOf(limitsSchema).has(name);
}

function missing(
  root: MapNode,
  keys: readonly string[],
  further: readonly string[],
): Extract<TracedPath, { ok: false }> {
  let depth = 0;
  while (depth < keys.length - 1 && entryAt(root, keys.slice(0, depth + 1)) !== undefined)
    depth += 1;
  const above: SpecNode | undefined =
    depth === 0 ? root : entryAt(root, keys.slice(0, depth))?.value;
  const said = keys[depth] ?? "";
  const names = [...namesIn(above), ...(depth === 0 ? further : [])];
  const where = depth === 0 ? "here" : `in \`${keys.slice(0, depth).join(".")}\``;
  const there = names.length === 0 ? undefined : `there: ${[...new Set(names)].join(", ")}`;
  const suggestion = didYouMean(said, names) ?? there;
  const message = `there is no \`${said}\` ${where}`;
  return suggestion === undefined ? { ok: false, message } : { ok: false, message, suggestion };
}

function provenanceFrom(path: string, { value, was, earlier = [] }: Found): Provenance {
  const before = was === undefined ? [] : [was, ...earlier];
  return { ...sayingOf(value), path, was: before.map(sayingOf), parts: partsOf(path, value) };
}

function sayingOf(node: SpecNode): Saying {
  const at = positionOf(node);
  const said = { value: shownJson(node), at, ...(isLost(node) ? { isLost: true as const } : {}) };
  if (node.file === "--set") return { ...said, origin: "set" };
  if (node.kind === "scalar" && node.env !== undefined)
    return { ...said, origin: "env", by: node.env };
  if (node.overlay !== undefined) return { ...said, origin: "overlay", by: node.overlay };
  return { ...said, origin: "file" };
}

function isLost(node: SpecNode): boolean {
  return node.kind === "scalar" && node.isUnset === true;
}

/** What is inside a map, each with its own story; nothing where all of it was said at one go. */
function partsOf(path: string, node: SpecNode): readonly Provenance[] {
  if (node.kind !== "map") return [];
  const parts = [...node.entries].map(([key, entry]) => provenanceFrom(`${path}.${key}`, entry));
  const own = sayingOf(node);
  const isAlike = ({ origin, by, at, was, parts: inner, isLost: isUnread }: Provenance): boolean =>
    isUnread !== true &&
    origin === own.origin &&
    by === own.by &&
    at?.file === own.at?.file &&
    was.length === 0 &&
    inner.length === 0;
  return parts.every(isAlike) ? [] : parts;
}

/** A model that the command gives stands over what the spec says. */
function overModel(said: Provenance, { models = [] }: TraceSettings): Provenance {
  const role = said.path === "model" ? "default" : /^models\.([^.[]+)$/.exec(said.path)?.[1];
  if (role === undefined) return said;
  const given = models.findLast(({ match }) => match === role || match === "*");
  if (given === undefined) return said;
  const { path, was, parts: _parts, ...before } = said;
  const at = { file: "--model", line: 1, column: 1 };
  return { path, value: given.model, origin: "set", at, was: [before, ...was], parts: [] };
}
