import { type Layered, layOver } from "../spec/document/lay-over.ts";
import { repeatDiagnostic } from "../spec/document/repeat-diagnostic.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import type { ReadSpec } from "./read-spec.ts";

/** A spec with some of its overlays, to be compiled. */
export interface Variant {
  /** In the order in which they are laid over the spec. */
  readonly overlays: readonly string[];
  /** Whether it is the one that was asked for. */
  readonly isChosen: boolean;
  readonly spec: NonNullable<ReadSpec["base"]>;
  /** The spec itself, then with each overlay laid over what stands before it. */
  readonly steps: readonly VariantStep[];
  /** What is wrong with the overlays and with laying them over the spec. */
  readonly diagnostics: Diagnostics;
}

/** What one layer makes of those below it. */
export interface VariantStep {
  /** As messages call it: "overlay `prod`"; empty for the spec itself. */
  readonly layer: string;
  readonly node: Layered["node"];
}

/** The spec itself, each of its overlays alone, and the overlays that were asked for together. */
export function planVariants(spec: ReadSpec, chosen: readonly string[]): readonly Variant[] {
  const { base, overlays } = spec;
  if (base === undefined) return [];
  const alone = [...overlays.keys()].map((name) => [name]);
  const together = chosen.length > 1 ? [chosen] : [];
  return [[], ...alone, ...together].map((names) => ({
    overlays: names,
    isChosen: names.length === chosen.length && names.every((name, at) => name === chosen[at]),
    ...laidOver(base, names, spec),
  }));
}

function laidOver(
  base: NonNullable<ReadSpec["base"]>,
  names: readonly string[],
  { overlays }: ReadSpec,
): Pick<Variant, "spec" | "steps" | "diagnostics"> {
  const diagnostics = new Diagnostics();
  if (base.node.kind !== "map") return { spec: base, steps: [], diagnostics };
  let result: Layered = { ...base, node: base.node };
  const steps: VariantStep[] = [{ layer: "", node: result.node }];
  for (const overlay of names) {
    const said = overlays.get(overlay);
    if (said === undefined) continue;
    for (const item of said.diagnostics.items) repeatDiagnostic(item, diagnostics);
    result = layOver(result, said.patch, { overlay, diagnostics });
    steps.push({ layer: `overlay ${quoted(overlay)}`, node: result.node });
  }
  return { spec: result, steps, diagnostics };
}

/** What one variant of a spec came to. */
export interface VariantFindings {
  readonly variant: Variant;
  readonly items: readonly Diagnostic[];
}

/**
 * What is wrong with any variant, once; what is seen only with overlays says with which. What a command sets over the spec
 * is meant for the variant that was asked for: where it does not fit another one, that is no fault.
 */
export function joinFindings(found: readonly VariantFindings[]): readonly Diagnostic[] {
  const seen = new Map<string, { readonly item: Diagnostic; readonly by: Variant[] }>();
  for (const { variant, items } of found) {
    for (const item of items) {
      if (item.file.startsWith("--") && !variant.isChosen) continue;
      const key = findingKey(item);
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { item, by: [variant] });
      else known.by.push(variant);
    }
  }
  return [...seen.values()].map(({ item, by }) => {
    const note = noteOf(by);
    return note === undefined ? item : { ...item, notes: [...(item.notes ?? []), note] };
  });
}

/** What tells a finding apart from others, whichever variant shows it. */
export function findingKey({ file, line, column, code, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${code} ${message}`;
}

function noteOf(by: readonly Variant[]): string | undefined {
  if (by.some(({ overlays }) => overlays.length === 0)) return undefined;
  const alone = by.flatMap(({ overlays }) => (overlays.length === 1 ? overlays : []));
  if (alone.length > 0) return `with overlay ${alone.map(quoted).join(" or ")}`;
  return `with overlays ${(by[0]?.overlays ?? []).map(quoted).join(" and ")} together`;
}

function quoted(name: string): string {
  return `\`${name}\``;
}
