import { Diagnostics } from "../text/diagnostic.ts";
import { didYouMean } from "../text/suggest.ts";
import type { MapNode, ScalarNode, SpecNode } from "../text/spec-node.ts";
import { isKebabCase, kebabCase } from "./kebab-case.ts";
import { without } from "./named-entries.ts";
import { shownValue } from "./node-text.ts";
import { repeatDiagnostic } from "./repeat-diagnostic.ts";

/** An overlay of a spec: a patch that `--overlay NAME` lays over it. */
export interface Overlay {
  readonly name: string;
  /** Where the name stands. */
  readonly at: ScalarNode;
  readonly patch: MapNode;
  /** What is wrong with the overlay itself. */
  readonly diagnostics: Diagnostics;
}

/** Puts the values in for variables and files of one overlay. */
export type OverlayValues = (node: SpecNode, name: string, diagnostics: Diagnostics) => SpecNode;

const refused: Readonly<Record<string, string>> = {
  apiVersion: "an overlay has the `apiVersion` of its spec",
  extends: "an overlay extends nothing: it is laid over its own spec",
  overlays: "an overlay has no overlays of its own",
};

/** Reads `overlays`: patches by name. */
export function readOverlays(
  node: SpecNode | undefined,
  withValues: OverlayValues,
  diagnostics: Diagnostics,
): ReadonlyMap<string, Overlay> {
  const overlays = new Map<string, Overlay>();
  if (node === undefined) return overlays;
  if (node.kind !== "map") {
    const message = `\`overlays\` is a map of names, not ${shownValue(node)}`;
    diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      node,
      message,
      "write `overlays: { prod: { ... } }`",
    );
    return overlays;
  }
  for (const [name, { key, value }] of node.entries) {
    reportName(name, key, diagnostics);
    const found = new Diagnostics();
    const patch = readPatch(withValues(value, name, found), name, found);
    if (patch === undefined) for (const item of found.items) repeatDiagnostic(item, diagnostics);
    else overlays.set(name, { name, at: key, patch, diagnostics: found });
  }
  return overlays;
}

function readPatch(value: SpecNode, name: string, diagnostics: Diagnostics): MapNode | undefined {
  if (value.kind !== "map") {
    const message = `the overlay \`${name}\` is a map of what it changes, not ${shownValue(value)}`;
    const repair = `write \`${name}: { limits: ... }\`, or the key that it changes`;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", value, message, repair);
    return undefined;
  }
  for (const [key, why] of Object.entries(refused)) {
    const said = value.entries.get(key);
    if (said !== undefined) diagnostics.error("LW-SPEC-PATCH", said.key, why, `delete \`${key}\``);
  }
  return without(value, Object.keys(refused));
}

function reportName(name: string, key: ScalarNode, diagnostics: Diagnostics): void {
  if (isKebabCase(name)) return;
  const kebab = kebabCase(name);
  const message = `an overlay is named in kebab-case; \`${name}\` is not`;
  const repair = kebab === undefined ? undefined : `write \`${kebab}:\``;
  diagnostics.error("LW-VALUE-ID", key, message, repair);
}

/** The overlays that a command names, in its order and each once; an unknown one is reported. */
export function chosenOverlays(
  names: readonly string[],
  overlays: ReadonlyMap<string, unknown>,
  diagnostics: Diagnostics,
): readonly string[] {
  const known = [...overlays.keys()];
  const chosen = new Set(names);
  return [...chosen].filter((name) => {
    if (overlays.has(name)) return true;
    const there = known.length === 0 ? "the spec has no overlays" : `there: ${known.join(", ")}`;
    diagnostics.error(
      "LW-SPEC-OVERLAY",
      { file: "--overlay", line: 1, column: 1 },
      `the spec has no overlay \`${name}\``,
      didYouMean(name, known) ?? there,
    );
    return false;
  });
}
