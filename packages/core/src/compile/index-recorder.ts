import type { Position } from "../spec/text/position.ts";
import type { ObjectShape } from "../spec/text/shape.ts";
import { type MapNode, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import { pathUses } from "./path-uses.ts";
import type { EnvironmentUse, SpecIndex, StageSite, SymbolKind, SymbolUse } from "./spec-index.ts";

/** Collects, during one pass, where the names of a spec stand. */
export interface IndexRecorder {
  /** Notes that a name stands at a place; a definition is where renaming begins. */
  use(kind: SymbolKind, name: string, at: SpecNode | Position, isDefinition?: boolean): void;
  /** Notes a use of the world outside: a variable, a secret, a file. */
  environment(use: EnvironmentUse): void;
  /** Notes a stage; each before its children. */
  stage(site: StageSite): void;
  /** Notes the whole spec, and the state that its expressions see. */
  ground(root: MapNode, shape: ObjectShape): void;
  /** What was noted, with what the spec is made of, and the names of the options that are marked secret. */
  index(layers: readonly string[], secretOptions?: ReadonlySet<string>): SpecIndex;
}

/** A use as it was noted, its place as the spec has it. */
type Note = Omit<SymbolUse, "at"> & { readonly at: SpecNode | Position };

const nothingSeen: ObjectShape = { kind: "object", fields: {} };

/** Opens the recorder of a pass. */
export function openRecorder(): IndexRecorder {
  const noted: Note[] = [];
  const environment: EnvironmentUse[] = [];
  const stages = new Map<string, StageSite>();
  let seen: { readonly root?: MapNode; readonly shape: ObjectShape } = { shape: nothingSeen };
  return {
    use: (kind, name, at, isDefinition = false) => noted.push({ kind, name, at, isDefinition }),
    environment: (use) => environment.push(use),
    stage: (site) => stages.set(site.id, site),
    ground: (root, shape) => {
      seen = { root, shape };
    },
    index: (layers, secretOptions = new Set()) => ({
      ...seen,
      stages,
      environment,
      layers,
      secretOptions,
      // Only editors ask for the places of names.
      get uses() {
        const uses = usesOf(noted);
        return [...uses, ...usesOfPaths(seen.root, stages, uses)];
      },
    }),
  };
}

// A named strategy is read at each of its uses, and an alias wherever it stands.
function usesOf(noted: readonly Note[]): readonly SymbolUse[] {
  const uses = new Map<string, SymbolUse>();
  for (const { kind, name, at, isDefinition } of noted) {
    const place = withEnd(positionOf(at), name);
    const key = `${kind} ${name} ${place.file}:${place.line}:${place.column}`;
    const known = uses.get(key);
    if (known === undefined || (isDefinition && !known.isDefinition))
      uses.set(key, { kind, name, at: place, isDefinition });
  }
  return [...uses.values()];
}

function usesOfPaths(
  root: MapNode | undefined,
  stages: ReadonlyMap<string, StageSite>,
  uses: Iterable<SymbolUse>,
): readonly SymbolUse[] {
  if (root === undefined) return [];
  const all = [...uses];
  const named = (wanted: SymbolKind): ReadonlySet<string> =>
    new Set(all.flatMap(({ kind, name }) => (kind === wanted ? [name] : [])));
  const inputs = named("input");
  const branches = named("branch");
  return pathUses(root, {
    isStage: (id) => stages.has(id),
    isInput: (name) => inputs.has(name),
    isBranch: (name) => branches.has(name),
  });
}

function withEnd(at: Position, name: string): Position {
  return at.endColumn === undefined ? { ...at, endColumn: at.column + name.length } : at;
}
