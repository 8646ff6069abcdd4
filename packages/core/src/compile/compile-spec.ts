import { namingOverrides, readOverrides } from "../spec/document/apply-overrides.ts";
import { chosenOverlays } from "../spec/document/read-overlays.ts";
import type { Diagnostic } from "../spec/text/diagnostic.ts";
import { AgentTable, type AgentTrail, innerSettings, outermost } from "./agent-table.ts";
import { type CompileContext, openContext } from "./compile-context.ts";
import { compilePass } from "./compile-pass.ts";
import type { CompileSettings } from "./compile-settings.ts";
import {
  findingKey,
  joinFindings,
  planVariants,
  type Variant,
  type VariantFindings,
} from "./compile-variants.ts";
import { withParts } from "./derived-program.ts";
import { secretNamesOf } from "./hide-secrets.ts";
import { withLoosened } from "./loosened.ts";
import { loosenedStages } from "./loosened-stages.ts";
import { PluginTable } from "./plugin-table.ts";
import { preloadPlugins } from "./preload-plugins.ts";
import type { Override, Program } from "../program/program.ts";
import { type ReadSpec, readSpec, type SpecSource } from "./read-spec.ts";
import type { SpecIndex } from "./spec-index.ts";

export type { CompileSettings } from "./compile-settings.ts";
export type { SpecSource } from "./read-spec.ts";

/** What became of compiling a spec: a program where there are no errors. */
export interface CompileResult {
  readonly program?: Program;
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The lines of every file that a diagnostic names, for excerpts. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** What editors and commands ask about the spec. */
  readonly index: SpecIndex;
  /** Each overlay of the spec, laid alone over it; no program where that has errors. */
  readonly variants: readonly OverlaidProgram[];
}

/** What a spec comes to with one of its overlays. */
export interface OverlaidProgram {
  readonly overlay: string;
  readonly program?: Program;
}

/**
 * Reads, checks and compiles a spec, by itself and with each of its overlays; what is wrong is told in diagnostics, never
 * thrown. There is a program only where no variant has errors.
 */
export async function compileSpec(
  source: SpecSource,
  settings: CompileSettings,
  trail: AgentTrail = outermost(),
): Promise<CompileResult> {
  const spec = readSpec(source, settings);
  const chosen = chosenOverlays(settings.overlays ?? [], spec.overlays, spec.diagnostics);
  const overrides = readOverrides(settings.overrides ?? [], spec.diagnostics);
  const compiled = await runPasses(spec, planVariants(spec, chosen), {
    settings,
    overrides,
    agents: new AgentTable(trail, spec.file, (inner, around) =>
      compileSpec({ file: inner }, innerSettings(settings, spec.root), around),
    ),
    plugins: new PluginTable(settings.plugins),
  });
  const passes = compiled.map((one) => withStages(one, compiled[0]));
  const found = spec.report(joinFindings(passes));
  const diagnostics = namingOverrides(found, settings.overrides ?? []);
  const pass = passes.find(({ variant }) => variant.isChosen);
  const isSound = !diagnostics.some(({ severity }) => severity === "error");
  const program = isSound ? withFindings(pass, found, passes, settings.overrides) : undefined;
  return {
    ...(program === undefined ? {} : { program }),
    diagnostics,
    sources: spec.linesOf(diagnostics),
    index: indexOf(spec, pass, settings.overrides ?? []),
    variants: passes.flatMap(({ variant, program: alone }) => {
      const [overlay, ...others] = variant.overlays;
      if (overlay === undefined || others.length > 0) return [];
      return [{ overlay, ...(alone === undefined ? {} : { program: alone }) }];
    }),
  };
}

interface Pass extends VariantFindings {
  readonly variant: Variant;
  readonly context: CompileContext;
  readonly program: Program | undefined;
}

type PassSettings = Pick<CompileContext, "settings" | "plugins" | "agents"> & {
  readonly overrides: ReturnType<typeof readOverrides>;
};

/** Compiles every variant, again and again until no plugin and no agent is missing. */
async function runPasses(
  spec: ReadSpec,
  variants: readonly Variant[],
  shared: PassSettings,
): Promise<readonly Pass[]> {
  for (const { spec: one } of variants) preloadPlugins(one.node, shared.plugins);
  await shared.plugins.loadWanted();
  for (;;) {
    const passes = variants.map((variant) => runPass(spec, variant, shared));
    const { plugins, agents } = shared;
    // oxlint-disable-next-line no-await-in-loop -- each round needs the plugins and agents that the last one asked for
    const loaded = await Promise.all([plugins.loadWanted(), agents.loadWanted()]);
    if (!loaded.includes(true)) return passes;
  }
}

function runPass(spec: ReadSpec, variant: Variant, shared: PassSettings): Pass {
  const { overrides, ...rest } = shared;
  const context = openContext({ ...rest, root: spec.root });
  const { node, stagePatches } = variant.spec;
  const input = { node, stagePatches, file: spec.file, overrides };
  const compiled = compilePass(input, context);
  const { root } = context.record.index([]);
  const set =
    root === undefined || overrides.length === 0 ? [] : [{ layer: "`--set`", node: root }];
  const items = withLoosened(
    [...variant.diagnostics.items, ...context.diagnostics.items],
    { layers: spec.layers, steps: [...variant.steps, ...set] },
    compiled,
  );
  const isSound = !items.some(({ severity }) => severity === "error");
  const { overlays } = variant;
  const program =
    compiled === undefined || !isSound ? undefined : withParts(compiled, { overlays });
  return { variant, context, items, program };
}

/** Adds what an overlay loosens in a stage, seen against the spec itself. */
function withStages(pass: Pass, base: Pass | undefined): Pass {
  const { variant, items, program, context } = pass;
  if (program === undefined || base?.program === undefined || base === pass) return pass;
  const before = { program: base.program, index: base.context.record.index([]) };
  const after = { program, index: context.record.index([]) };
  const layer = `overlay ${variant.overlays.map((name) => `\`${name}\``).join(" and ")}`;
  return { ...pass, items: [...items, ...loosenedStages(before, after, layer)] };
}

/** A run tells the warnings of what it runs, and of no other overlay. */
function withFindings(
  pass: Pass | undefined,
  diagnostics: readonly Diagnostic[],
  passes: readonly Pass[],
  overrides: readonly Override[] = [],
): Program | undefined {
  if (pass?.program === undefined) return undefined;
  const own = new Set(pass.items.map(findingKey));
  const others = new Set(passes.flatMap(({ items }) => items.map(findingKey)));
  const isOwn = (item: Diagnostic): boolean =>
    own.has(findingKey(item)) || !others.has(findingKey(item));
  const said = namingOverrides(diagnostics.filter(isOwn), overrides);
  return withParts(pass.program, { diagnostics: said });
}

function indexOf(
  spec: ReadSpec,
  pass: Pass | undefined,
  overrides: readonly Override[],
): SpecIndex {
  const layers = [
    ...spec.layers.map(({ file }) => file),
    ...(pass?.variant.overlays ?? []).map((name) => `overlay ${name}`),
    ...(overrides.length === 0 ? [] : ["--set"]),
  ];
  if (pass === undefined) return { ...emptyIndex, layers, environment: spec.environment };
  const { record, plugins } = pass.context;
  for (const [name, { at }] of spec.overlays) record.use("overlay", name, at, true);
  for (const use of spec.environment) record.environment(use);
  const index = record.index(layers, secretNamesOf(plugins.definitions()));
  const { overlaysEntry } = spec;
  if (index.root === undefined || overlaysEntry === undefined) return index;
  const entries = new Map([...index.root.entries, ["overlays", overlaysEntry]]);
  return { ...index, root: { ...index.root, entries } };
}

const emptyIndex: SpecIndex = {
  stages: new Map(),
  shape: { kind: "object", fields: {} },
  uses: [],
  environment: [],
  layers: [],
  secretOptions: new Set(),
};
