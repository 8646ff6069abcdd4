import { isKebabCase, kebabCase } from "../spec/document/kebab-case.ts";
import { shownValue } from "../spec/document/node-text.ts";
import type { StageForm } from "../spec/document/stage-form.ts";
import { positionOf, type ScalarNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { CompileContext } from "./compile-context.ts";

/** How many stages a spec may have, each use of a named strategy counted with all its stages. */
const maxStages: number = 2_000;

/** One entry of `strategies`. */
interface NamedStrategy {
  readonly name: string;
  readonly at: ScalarNode;
  readonly stages: SpecNode;
}

/** The strategies of `strategies`, and how far they were expanded. */
export interface NamedStrategies {
  readonly all: ReadonlyMap<string, NamedStrategy>;
  /** Those that a stage was expanded from. */
  readonly used: Set<string>;
  /** How many stages there are so far. */
  count: number;
}

/** Reads `strategies`; a name that can't be used is reported. */
export function readStrategies(
  node: SpecNode | undefined,
  context: CompileContext,
): NamedStrategies {
  const all = new Map<string, NamedStrategy>();
  if (node !== undefined && node.kind !== "map") {
    const message = `\`strategies\` is a map of names, not ${shownValue(node)}`;
    const repair = "write `strategies: { NAME: ... }` with a stage or a list of stages under each";
    context.diagnostics.error("LW-VALUE-MAP-EXPECTED", node, message, repair);
  }
  for (const { key, value } of node?.kind === "map" ? node.entries.values() : []) {
    context.record.use("strategy", key.text, key, true);
    if (isUsable(key, context)) all.set(key.text, { name: key.text, at: key, stages: value });
  }
  return { all, used: new Set(), count: 0 };
}

function isUsable(key: ScalarNode, { plugins, diagnostics }: CompileContext): boolean {
  const name = key.text;
  if (plugins.has("strategy", name)) {
    const message = `\`${name}\` is the id of a strategy plugin; a name of \`strategies\` may not shadow one`;
    diagnostics.error("LW-SPEC-STRATEGY-NAME", key, message, `choose another name: \`my-${name}\``);
    return false;
  }
  if (isKebabCase(name)) return true;
  const kebab = kebabCase(name);
  const message = `a name of \`strategies\` is kebab-case; \`${name}\` is not`;
  const repair = kebab === undefined ? undefined : `write \`${kebab}:\``;
  diagnostics.error("LW-SPEC-STRATEGY-NAME", key, message, repair);
  return true;
}

/** Notes a use of a named strategy; undefined where it can't be expanded there, which is reported. */
export function useStrategy(
  form: StageForm,
  strategies: NamedStrategies,
  trail: readonly string[],
  context: CompileContext,
): NamedStrategy | undefined {
  const { diagnostics, record, strategyUses } = context;
  const found = strategies.all.get(form.strategy);
  if (found === undefined) return undefined;
  record.use("strategy", found.name, form.at);
  strategies.used.add(found.name);
  if (!strategyUses.has(found.name)) strategyUses.set(found.name, positionOf(form.at));
  if (form.body.entries.size > 0) {
    const message = `\`${found.name}\` is a strategy of this spec; it takes no options`;
    const repair = `write \`- ${found.name}\`, and its options under \`strategies\``;
    diagnostics.error("LW-STAGE-FORM", form.at, message, repair);
  }
  if (!trail.includes(found.name)) return found;
  const circle = [...trail.slice(trail.indexOf(found.name)), found.name].join(" → ");
  const message = `\`${found.name}\` contains itself: ${circle}`;
  diagnostics.error("LW-SPEC-STRATEGY-CYCLE", form.at, message, "take one of them out");
  return undefined;
}

/** Counts a stage; false where the spec has too many, which is reported once. */
export function countStage(
  at: SpecNode,
  strategies: NamedStrategies,
  { diagnostics }: CompileContext,
): boolean {
  strategies.count += 1;
  if (strategies.count <= maxStages) return true;
  if (strategies.count === maxStages + 1) {
    const message = `the spec expands to more than ${maxStages.toLocaleString("en-US")} stages`;
    const repair = "use its strategies less often inside each other";
    diagnostics.error("LW-SPEC-TOO-LARGE", at, message, repair);
  }
  return false;
}
