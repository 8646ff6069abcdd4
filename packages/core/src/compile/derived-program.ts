import type { MapNode } from "../spec/text/spec-node.ts";
import type { Diagnostic } from "../spec/text/diagnostic.ts";
import type { Program } from "../program/program.ts";
import { canonicalSpec, type Draft } from "./canonical-spec.ts";
import { secretNames, withoutSecrets } from "./hide-secrets.ts";
import { hashOf } from "./program-hash.ts";
import type { ReadStage } from "./read-stages.ts";
import { addressesFromVariables } from "./shown-address.ts";

/** The program of a draft; its canonical form and hash are made when they are first read, which a check never does. */
export function deriveProgram(
  draft: Draft,
  root: MapNode,
  linked: ReadonlyMap<string, ReadStage>,
  diagnostics: readonly Diagnostic[],
): Program {
  const whole = once(() => canonicalSpec(draft, root, linked));
  const canonical = once(() =>
    withoutSecrets(whole(), secretNames(draft), addressesFromVariables(root)),
  );
  const hash = once(() => hashOf(whole()));
  return {
    ...draft,
    get canonical() {
      return canonical();
    },
    get hash() {
      return hash();
    },
    diagnostics,
  };
}

/** A program with some parts replaced; a spread would read the canonical form and the hash. */
export function withParts(program: Program, parts: Partial<Program>): Program {
  const descriptors = {
    ...Object.getOwnPropertyDescriptors(program),
    ...Object.getOwnPropertyDescriptors(parts),
  };
  return Object.defineProperties({}, descriptors) as Program;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
