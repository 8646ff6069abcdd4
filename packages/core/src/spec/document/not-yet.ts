import type { Diagnostics, Position } from "../text/diagnostic.ts";
import { positionOf, type SpecNode } from "../text/spec-node.ts";

/** A part of the language that a spec uses and this version can't run. */
export interface LaterPart {
  /** As the diagnostic names it. */
  readonly what: string;
  readonly position: Position;
}

// A pass has its own diagnostics: what it found lives and dies with them.
const reported = new WeakMap<Diagnostics, LaterPart[]>();

/** Warns of a part of the language that is checked and can't be run yet: a run refuses it. */
export function reportNotYet(node: SpecNode, what: string, diagnostics: Diagnostics): void {
  const part = { what, position: positionOf(node) };
  reported.set(diagnostics, [...(reported.get(diagnostics) ?? []), part]);
  const message = `\`${what}\` is part of the language, but this version cannot run it yet: \`run\` refuses the spec`;
  diagnostics.warn("LW-SPEC-NOT-YET", node, message, `delete \`${what}\` to run without it`);
}

/** What was reported so far, in that order. */
export function laterPartsOf(diagnostics: Diagnostics): readonly LaterPart[] {
  return reported.get(diagnostics) ?? [];
}
