import type { Layered, StagePatch } from "../spec/document/lay-over.ts";
import { without } from "../spec/document/named-entries.ts";
import type { ExtendedSpec } from "../spec/document/read-extends.ts";
import { type Overlay, readOverlays } from "../spec/document/read-overlays.ts";
import type { Diagnostics, Severity } from "../spec/text/diagnostic.ts";
import type { IncludeBudget } from "../spec/text/include-budget.ts";
import type { MapEntry, MapNode, SpecNode } from "../spec/text/spec-node.ts";
import { substitute } from "../spec/text/substitute.ts";
import type { YamlMemory } from "../spec/text/yaml-memory.ts";
import { environmentUses } from "./environment-uses.ts";
import type { EnvironmentUse } from "./spec-index.ts";

/** What reading a spec depends on. */
export interface ReadSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root?: string;
  /** The overlays that are applied: a variable that is not set is an error there, elsewhere a warning. */
  readonly overlays?: readonly string[];
  /** What earlier readings of the same files found. */
  readonly memory?: YamlMemory;
}

/** A spec whose values are put in, before its overlays are laid over it. */
export interface LiveSpec {
  /** Missing where the files hold errors that leave nothing to look at. */
  readonly base?: Layered | { readonly node: SpecNode; readonly stagePatches: readonly [] };
  readonly overlays: ReadonlyMap<string, Overlay>;
  /** `overlays` as the spec says it, values put in. */
  readonly overlaysEntry?: MapEntry;
  readonly environment: readonly EnvironmentUse[];
}

interface ValueSettings extends ReadSettings {
  readonly root: string;
  readonly budget: IncludeBudget;
  readonly diagnostics: Diagnostics;
}

/** Puts in what stands for variables and files: in the spec itself, and in each overlay apart. */
export function readValues(
  { node, stagePatches }: ExtendedSpec,
  settings: ValueSettings,
): LiveSpec {
  const { diagnostics } = settings;
  const inPatches = stagePatches.flatMap(({ changed }) =>
    changed === undefined ? [] : environmentUses(changed.value, settings),
  );
  const environment = [...environmentUses(node, settings), ...inPatches];
  if (node.kind !== "map") {
    const live = withValues(node, settings, diagnostics, "error");
    return { base: { node: live, stagePatches: [] }, overlays: new Map(), environment };
  }
  const base: Layered = {
    node: withValues(without(node, ["overlays"]), settings, diagnostics, "error") as MapNode,
    stagePatches: stagePatches.map((patch) => livePatch(patch, settings)),
  };
  return { base, ...liveOverlays(node, settings), environment };
}

function livePatch(patch: StagePatch, settings: ValueSettings): StagePatch {
  const { changed } = patch;
  if (changed === undefined) return patch;
  const value = withValues(changed.value, settings, settings.diagnostics, "error");
  return { ...patch, changed: { ...changed, value } };
}

function liveOverlays(
  node: MapNode,
  settings: ValueSettings,
): Pick<LiveSpec, "overlays" | "overlaysEntry"> {
  const { diagnostics, overlays: chosen = [] } = settings;
  const said = node.entries.get("overlays");
  if (said === undefined) return { overlays: new Map() };
  // All of them may come from one file.
  const isFile = said.value.kind === "scalar";
  const whole = isFile ? withValues(said.value, settings, diagnostics, "warning") : said.value;
  const overlays = readOverlays(
    whole,
    (value, name, found) =>
      isFile
        ? value
        : withValues(value, settings, found, chosen.includes(name) ? "error" : "warning"),
    diagnostics,
  );
  return { overlays, overlaysEntry: { ...said, value: whole } };
}

// Whether a field may hold a secret is known with its schema, when the options are read.
function withValues(
  node: SpecNode,
  { env, root, budget }: ValueSettings,
  diagnostics: Diagnostics,
  severityOfUnset: Severity,
): SpecNode {
  const secretAllowed = (): boolean => true;
  return substitute(node, { env, root, budget, secretAllowed, diagnostics, severityOfUnset });
}
