import type { StrategyDefinition } from "../contracts/strategy.ts";
import { only, without } from "../spec/document/named-entries.ts";
import { commonSettings } from "../spec/document/spec-schemas.ts";
import { readStageForms, type StageForm } from "../spec/document/stage-form.ts";
import { positionOf, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { resolvePlugin, type CompileContext } from "./compile-context.ts";
import { nameStages } from "./stage-ids.ts";

/** A stage whose strategy is known: its keys sorted into settings, options and child slots. */
export interface ReadStage {
  readonly id: string;
  readonly strategy: string;
  readonly definition: StrategyDefinition;
  /** Where the strategy's id stands. */
  readonly at: SpecNode;
  readonly settings: MapNode;
  readonly options: MapNode;
  readonly slots: ReadonlyMap<string, readonly ReadStage[]>;
}

/** Finds the strategy of every stage, at any depth; stages without one are left out and reported. */
export function readStages(node: SpecNode, context: CompileContext): readonly ReadStage[] {
  const drafts = draftStages(node, context);
  const flat = drafts.flatMap(withDescendants);
  const ids = nameStages(
    flat.map(({ form, settings }) => ({
      strategy: form.strategy,
      at: form.at,
      idNode: settings.entries.get("id")?.value,
    })),
    context.diagnostics,
  );
  const idOf = new Map(flat.map((draft, index) => [draft, ids[index] ?? draft.form.strategy]));
  return drafts.map((draft) => named(draft, idOf));
}

/** All stages of a tree, each before its children. */
export function flattenStages(stages: readonly ReadStage[]): readonly ReadStage[] {
  return stages.flatMap((stage) => [stage, ...flattenStages([...stage.slots.values()].flat())]);
}

interface Draft {
  readonly form: StageForm;
  readonly definition: StrategyDefinition;
  readonly settings: MapNode;
  readonly options: MapNode;
  readonly slots: ReadonlyMap<string, readonly Draft[]>;
}

function draftStages(node: SpecNode, context: CompileContext): readonly Draft[] {
  const isStrategy = (id: string): boolean => context.plugins.has("strategy", id);
  return readStageForms(node, isStrategy, context.diagnostics).flatMap((form) => {
    const definition = resolvePlugin("strategy", form.strategy, form.at, context)?.definition;
    return definition === undefined ? [] : [draftStage(form, definition, context)];
  });
}

function draftStage(
  form: StageForm,
  definition: StrategyDefinition,
  context: CompileContext,
): Draft {
  const { diagnostics } = context;
  const body: MapNode = { ...form.body, ...positionOf(form.at) };
  const slots = new Map<string, readonly Draft[]>();
  for (const [name, declaration] of Object.entries(definition.slots)) {
    const value = body.entries.get(name)?.value;
    if (value !== undefined) slots.set(name, draftStages(value, context));
    else if (!declaration.optional) {
      const message = `\`${form.strategy}\` needs \`${name}\`: ${declaration.description}`;
      diagnostics.error(
        "LW-STAGE-MISSING-SLOT",
        form.at,
        message,
        `write \`${name}:\` with a stage or a list of stages`,
      );
    }
  }
  const options = without(body, [...commonSettings, ...Object.keys(definition.slots)]);
  return { form, definition, settings: only(body, commonSettings), options, slots };
}

function withDescendants(draft: Draft): readonly Draft[] {
  return [draft, ...[...draft.slots.values()].flat().flatMap(withDescendants)];
}

function named(draft: Draft, idOf: ReadonlyMap<Draft, string>): ReadStage {
  const { form, definition, settings, options, slots } = draft;
  return {
    id: idOf.get(draft) ?? form.strategy,
    strategy: form.strategy,
    definition,
    at: form.at,
    settings,
    options,
    slots: new Map(
      [...slots].map(([name, children]) => [name, children.map((child) => named(child, idOf))]),
    ),
  };
}
