import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { isKebabCase, kebabCase } from "../spec/document/kebab-case.ts";
import { readText } from "../spec/document/read-scalar.ts";

/** A stage that wants an id: its own, or one after its strategy. */
export interface UnnamedStage {
  readonly strategy: string;
  readonly at: SpecNode;
  /** The value of its `id:`. */
  readonly idNode: SpecNode | undefined;
}

const reservedIds: ReadonlySet<string> = new Set(["conclusion", "output", "run"]);

/** Gives every stage an id, in the order of the file; a clash of an `id:` with any other is reported. */
export function nameStages(
  stages: readonly UnnamedStage[],
  diagnostics: Diagnostics,
): readonly string[] {
  const counts = new Map<string, number>();
  const owners = new Map<string, SpecNode>();
  const automatic = stages.map((stage) => {
    if (stage.idNode !== undefined) return undefined;
    const base = stage.strategy.slice(stage.strategy.lastIndexOf("/") + 1);
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const id = count === 1 ? base : `${base}-${count}`;
    owners.set(id, stage.at);
    return id;
  });
  return stages.map((stage, index) => automatic[index] ?? explicitId(stage, owners, diagnostics));
}

function freeId(id: string, owners: ReadonlyMap<string, SpecNode>): string {
  let count = 2;
  while (owners.has(`${id}-${count}`)) count += 1;
  return `${id}-${count}`;
}

function explicitId(
  stage: UnnamedStage,
  owners: Map<string, SpecNode>,
  diagnostics: Diagnostics,
): string {
  const node = stage.idNode;
  const id = node === undefined ? undefined : readText(node, diagnostics);
  if (node === undefined || id === undefined) return stage.strategy;
  if (!isKebabCase(id)) {
    const kebab = kebabCase(id);
    diagnostics.error(
      "LW-VALUE-ID",
      node,
      `an id is kebab-case; \`${id}\` is not`,
      kebab === undefined ? "write small letters, digits and dashes" : `write \`id: ${kebab}\``,
    );
  } else if (reservedIds.has(id)) {
    diagnostics.error(
      "LW-SPEC-ID-CLASH",
      node,
      `\`${id}\` is reserved; no stage can be called so`,
      `write \`id: my-${id}\``,
    );
  }
  const owner = owners.get(id);
  if (owner === undefined) owners.set(id, node);
  else if (owner.file === node.file && owner.line === node.line && owner.column === node.column) {
    const message = `\`${id}\` would be the id of two stages: the strategy around it is used twice`;
    diagnostics.error("LW-SPEC-ID-CLASH", node, message, "leave `id:` out, or use it once");
  } else {
    const message = `\`${id}\` is also the id of the stage in line ${owner.line}`;
    diagnostics.error("LW-SPEC-ID-CLASH", node, message, `write \`id: ${freeId(id, owners)}\``);
  }
  return id;
}
