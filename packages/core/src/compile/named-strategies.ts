import { inFigures } from "./count-text.ts";
import { isKebabCase, kebabCase } from "../spec/document/kebab-case.ts";
import { shownValue } from "../spec/document/node-text.ts";
import type { StageForm } from "../spec/document/stage-form.ts";
import { positionOf, type ScalarNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { CompileContext } from "./compile-context.ts";

/** How many stages a spec may have; each use of a named strategy is one, and all its stages are counted with it. */
const maxStages: number = 2_000;

/** One entry of `strategies`. */
export interface NamedStrategy {
  readonly name: string;
  readonly at: ScalarNode;
  readonly stages: SpecNode;
}

/** The strategies of `strategies`, and how they are used. */
export interface NamedStrategies {
  readonly all: ReadonlyMap<string, NamedStrategy>;
  /** Those that a stage names. */
  readonly used: Set<string>;
  /** How many stages are written, those of a named strategy once. */
  written: number;
  /** Whether they come to more than a spec may have, which was reported. */
  isTooLarge: boolean;
}

/** Stages that are counted together: those of the spec, or those of one named strategy. */
export interface StageCount {
  /** Expanded. */
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
  return { all, used: new Set(), written: 0, isTooLarge: false };
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
  const repair =
    kebab === undefined ? "write small letters, digits and dashes" : `write \`${kebab}:\``;
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
  const repair = `take \`${found.name}\` out here, or write another stage instead`;
  diagnostics.error("LW-SPEC-STRATEGY-CYCLE", form.at, message, repair);
  return undefined;
}

/** Counts a stage as written, and all that it expands to; false where that is too many, which is reported once. */
export function countStages(
  at: SpecNode,
  counted: StageCount,
  inside: number,
  strategies: NamedStrategies,
  { diagnostics }: CompileContext,
): boolean {
  strategies.written += 1;
  counted.count += 1 + inside;
  if (counted.count <= maxStages) return true;
  if (!strategies.isTooLarge) {
    const message = `the spec expands to more than ${inFigures(maxStages)} stages`;
    // Where no strategy is used twice, there are no more stages than are written.
    const repair =
      strategies.written > maxStages
        ? "let `for-each` or `loop` repeat what is alike, or move stages to specs of their own that `agent` runs"
        : "use its strategies less often inside each other";
    diagnostics.error("LW-SPEC-TOO-LARGE", at, message, repair);
  }
  strategies.isTooLarge = true;
  return false;
}
