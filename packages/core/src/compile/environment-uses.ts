import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { holdsSubstitution } from "../spec/text/holds-substitution.ts";
import { positionOf, type ScalarNode, type SpecNode } from "../spec/text/spec-node.ts";
import { parseSubstitutions, type SubstitutionPart } from "../spec/text/substitution-parts.ts";
import type { EnvironmentUse } from "./spec-index.ts";

interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
}

/** Every use of a variable, a secret or a file in a spec whose values are not put in yet, in the order of the file. */
export function environmentUses(node: SpecNode, world: World): readonly EnvironmentUse[] {
  const uses: EnvironmentUse[] = [];
  const visit = (inner: SpecNode): void => {
    if (!holdsSubstitution(inner)) return;
    if (inner.kind === "list") inner.items.forEach(visit);
    else if (inner.kind === "map") for (const { value } of inner.entries.values()) visit(value);
    else uses.push(...usesIn(inner, world));
  };
  visit(node);
  return uses;
}

function usesIn(node: ScalarNode, world: World): readonly EnvironmentUse[] {
  if (typeof node.value !== "string") return [];
  return parseSubstitutions(node.value).flatMap((part): readonly EnvironmentUse[] => {
    const use = useOf(part, node.file, world);
    return use === undefined ? [] : [{ ...use, at: positionOf(node), path: node.path }];
  });
}

function useOf(
  part: SubstitutionPart,
  file: string,
  { env, root }: World,
): Omit<EnvironmentUse, "at" | "path"> | undefined {
  switch (part.kind) {
    case "env":
    case "secret": {
      const { kind, name } = part;
      const isSet = Object.hasOwn(env, name) && env[name] !== undefined;
      return { kind, name, hasDefault: kind === "env" && part.fallback !== undefined, isSet };
    }
    case "file": {
      const isSet = existsSync(resolve(root, dirname(file), part.path));
      return { kind: "file", name: part.path, hasDefault: false, isSet };
    }
    case "run":
      return { kind: "run", name: "id", hasDefault: false, isSet: true };
    default:
      return undefined;
  }
}
