import type { StrategyDefinition } from "../../contracts/strategy.ts";
import type { SpecDocument } from "../../spec/document/read-document.ts";
import { entry, type SpecNode } from "../../spec/text/spec-node.ts";
import type { CompiledSequence, CompiledStage } from "../../program/program.ts";
import type { Draft } from "../canonical-spec.ts";
import { childrenOf } from "../flow/flow-context.ts";
import type { ReadStage } from "../read-stages.ts";

/** What advice looks at: a sound program, and the spec that says it. */
export interface AdviceParts {
  readonly draft: Draft;
  readonly document: SpecDocument;
  /** The stages as the spec says them, by id. */
  readonly stages: ReadonlyMap<string, ReadStage>;
}

/** What the spec says under a setting of a stage. */
export function settingOf(
  { stages }: AdviceParts,
  stage: CompiledStage,
  key: string,
): SpecNode | undefined {
  const site = stages.get(stage.id);
  return site === undefined ? undefined : entry(site.settings, key);
}

/** A repair that gives a stage its model at another temperature. */
export function writeTemperature(
  parts: AdviceParts,
  stage: CompiledStage,
  temperature: number,
): string {
  const said = settingOf(parts, stage, "model");
  if (said?.kind === "map" && (said.entries.has("use") || said.entries.has("extends")))
    return `write \`temperature: ${temperature}\` in its model`;
  const name = said?.kind === "scalar" ? said.text : "default";
  const key = name.includes("/") ? "use" : "extends";
  return `write \`model: { ${key}: ${name}, temperature: ${temperature} }\` in \`${stage.id}\``;
}

/** A stage with the stage around it that runs it several times at once, if there is one. */
export interface BranchedStage {
  readonly stage: CompiledStage;
  /** Its branches should differ, as samples do. */
  readonly sampledBy?: CompiledStage;
  /** It runs once for each of several items. */
  readonly repeatedBy?: CompiledStage;
}

// Several pieces of advice ask for them.
const knownBranched = new WeakMap<CompiledSequence, readonly BranchedStage[]>();

/** Every stage of a program, with what runs it several times at once. */
export function branchedStages(sequence: CompiledSequence): readonly BranchedStage[] {
  const known = knownBranched.get(sequence);
  if (known !== undefined) return known;
  const found = findBranched(sequence);
  knownBranched.set(sequence, found);
  return found;
}

function findBranched(sequence: CompiledSequence): readonly BranchedStage[] {
  const found: BranchedStage[] = [];
  const visit = (branched: BranchedStage): void => {
    found.push(branched);
    const { stage, ...around } = branched;
    for (const { slot, sequence: inner } of childrenOf(stage)) {
      const { sampled, concurrent, form } = stage.definition.slots[slot] ?? {};
      const own =
        sampled === true
          ? { sampledBy: stage }
          : concurrent === true && form === "one"
            ? { repeatedBy: stage }
            : {};
      for (const child of inner.stages) visit({ ...around, ...own, stage: child });
    }
  };
  for (const stage of sequence.stages) visit({ stage });
  return found;
}

/** Whether a stage fans out over samples that it draws itself. */
export function drawsSamples({ definition, slots }: CompiledStage): boolean {
  return sampledSlots(definition).some((name) => slots[name] === undefined);
}

/** Whether a stage fans out over samples that the stages of its slot draw. */
export function fansOut({ definition, slots }: CompiledStage): boolean {
  return sampledSlots(definition).some((name) => slots[name] !== undefined);
}

// A spec names the same few strategies over and over.
const knownSampled = new WeakMap<StrategyDefinition, readonly string[]>();

function sampledSlots(definition: StrategyDefinition): readonly string[] {
  const known = knownSampled.get(definition);
  if (known !== undefined) return known;
  const found = Object.entries(definition.slots).flatMap(([name, { sampled }]) =>
    sampled ? [name] : [],
  );
  knownSampled.set(definition, found);
  return found;
}

/** Whether a stage may write the answer itself. */
export function writesAnswer({ flow }: CompiledStage): boolean {
  return [flow.sets, flow.maySet].some((fields) => fields?.includes("answer") === true);
}
