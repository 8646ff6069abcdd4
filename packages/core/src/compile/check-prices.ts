import type { SpecDocument } from "../spec/document/read-document.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import type { CompiledStage, ModelEntry, Program } from "../program/program.ts";
import type { Draft } from "./canonical-spec.ts";
import { reachableModels } from "./program-bounds.ts";
import { flattenStages, type ReadStage } from "./read-stages.ts";

/** What the check of prices looks at. */
export interface PriceParts {
  readonly draft: Draft;
  readonly document: SpecDocument;
  readonly stages: ReadonlyMap<string, ReadStage>;
}

/** Reports limits in dollars where a model that can be reached has no price: they could not be enforced. */
export function checkPrices(
  { draft, document, stages }: PriceParts,
  diagnostics: Diagnostics,
): void {
  const whole = [...draft.models, ...modelsOfAgents(draft.agents)];
  report(dollarsOf(document.section("limits")), whole, diagnostics);
  for (const limits of innerLimits(document.section("switches")))
    report(dollarsOf(limits), whole, diagnostics);
  for (const site of stages.values()) {
    const dollars = dollarsOf(entry(site.settings, "limits"));
    if (dollars !== undefined) report(dollars, modelsBelow(site, draft), diagnostics);
  }
  const tools = document.section("tools");
  for (const [key, agent] of draft.agents ?? []) {
    const name = key.startsWith("tool:") ? key.slice("tool:".length) : undefined;
    const said = name !== undefined && tools?.kind === "map" ? entry(tools, name) : undefined;
    const limits = said?.kind === "map" ? entry(said, "limits") : undefined;
    report(dollarsOf(limits), modelsOf(agent), diagnostics);
  }
}

function report(
  limit: SpecNode | undefined,
  models: readonly ModelEntry[],
  diagnostics: Diagnostics,
): void {
  if (limit === undefined) return;
  const unpriced = new Set(
    models.filter((model) => model.price === undefined).map((model) => model.id),
  );
  if (unpriced.size === 0) return;
  const message = `a limit in dollars needs the price of every model; missing: ${[...unpriced].map((id) => `\`${id}\``).join(", ")}`;
  diagnostics.error(
    "LW-LIMIT-NO-PRICE",
    limit,
    message,
    "add `price: { input: ..., output: ... }` (dollars per million tokens) to each",
  );
}

/** The models that a stage can reach: its own, those of the stages inside it, and those of agents that they call. */
function modelsBelow(site: ReadStage, draft: Draft): readonly ModelEntry[] {
  const below = flattenStages([site]).flatMap((inner) => draft.stages.get(inner.id) ?? []);
  const agents = below.flatMap((stage) => agentsOf(stage, draft));
  return [...reachableModels(below), ...agents.flatMap(modelsOf)];
}

function agentsOf(stage: CompiledStage, { agents }: Draft): readonly Program[] {
  if (agents === undefined) return [];
  return [stage.id, ...stage.tools.map((name) => `tool:${name}`)].flatMap(
    (key) => agents.get(key) ?? [],
  );
}

function modelsOf(program: Program): readonly ModelEntry[] {
  return [...program.models, ...modelsOfAgents(program.agents)];
}

function modelsOfAgents(agents: Program["agents"]): readonly ModelEntry[] {
  return [...(agents?.values() ?? [])].flatMap(modelsOf);
}

function innerLimits(switches: SpecNode | undefined): readonly SpecNode[] {
  if (switches?.kind !== "map") return [];
  return [...switches.entries.values()].flatMap(({ value }) => {
    const limits = value.kind === "map" ? entry(value, "limits") : undefined;
    return limits === undefined ? [] : [limits];
  });
}

function dollarsOf(limits: SpecNode | undefined): SpecNode | undefined {
  return limits?.kind === "map" ? entry(limits, "usd") : undefined;
}
