import type { StateField } from "../../contracts/state.ts";
import type { CompiledSequence, CompiledStage } from "../../program/program.ts";
import { entry } from "../../spec/text/spec-node.ts";
import { checkNeeds, checkRead } from "./check-reads.ts";
import { type FlowContext, ownSets, ownWrites, placeOf, writerIn } from "./flow-context.ts";
import { leaveOut, neverHolds, reportSkipped, reportUnreached } from "./unreachable.ts";
import { walkSlots } from "./walk-slots.ts";
import {
  type Arrival,
  type Doubt,
  shortPlace,
  type Written,
  withDoubtful,
  withSure,
  withTold,
  withUntold,
} from "./written.ts";

/** Follows stages one after the other, and reports what they read too early and what is never reached. */
export function walkSequence(
  sequence: CompiledSequence,
  before: Written,
  context: FlowContext,
): Arrival {
  let arrival: Arrival = { written: before };
  for (const [index, stage] of sequence.stages.entries()) {
    if (arrival.ender !== undefined) {
      reportUnreached(stage, arrival.ender, context);
      leaveOut({ stages: sequence.stages.slice(index) }, context);
      return arrival;
    }
    arrival = walkStage(stage, arrival.written, context);
  }
  return arrival;
}

function walkStage(stage: CompiledStage, before: Written, context: FlowContext): Arrival {
  const reads = context.reads.get(stage) ?? [];
  for (const read of reads) if (read.moment === "guard") checkRead(read, before, context);
  if (stage.when !== undefined && neverHolds(stage.when)) {
    reportSkipped(stage, context);
    leaveOut({ stages: [stage] }, context);
    return { written: before };
  }
  const inside = pastGuard(stage, before);
  checkNeeds(stage, inside, context);
  for (const read of reads) if (read.moment === "start") checkRead(read, inside, context);
  context.starts.set(stage, inside.loose);
  const told = withTold(inside, stage.flow.needs ?? []);
  const inner = walkSlots(stage, told, context, walkSequence);
  const written = withUntold(inner.written, inside);
  const working = whileWorking(stage, written, context);
  for (const read of reads) {
    if (read.moment === "round" || read.moment === "inside") checkRead(read, working, context);
  }
  return leave(stage, before, { ...inner, written }, context);
}

/** While it works, a stage may read what it writes itself, and what it has written before it runs a slot. */
function whileWorking(stage: CompiledStage, written: Written, context: FlowContext): Written {
  return Object.values(stage.definition.slots).reduce(
    (before, slot) => withSure(before, slot.provides),
    withSure(written, ownWrites(stage, context)),
  );
}

/** Past its guard, a stage has what the guard reads, and what a writer under the same guard has written. */
function pastGuard({ when }: CompiledStage, before: Written): Written {
  if (when === undefined || before.may.size === 0) return before;
  const isRead = (field: StateField): boolean =>
    when.paths.some((path) => path === field || path.startsWith(`${field}.`));
  const sure = [...before.may].filter(
    ([field, { condition }]) => condition === when.source || isRead(field),
  );
  return withSure(
    before,
    sure.map(([field]) => field),
  );
}

function leave(
  stage: CompiledStage,
  before: Written,
  { written, ender }: Arrival,
  context: FlowContext,
): Arrival {
  const { maySet = [], stops } = stage.flow;
  const sometimes = (): Doubt => ({
    writer: stage,
    because: "does not always write it",
    cure: `put another writer after \`${stage.id}\``,
  });
  const after = withDoubtful(withSure(written, ownSets(stage, context)), maySet, sometimes);
  const doubt = doubtAbout(stage, context);
  if (doubt === undefined) {
    const end = stops === "always" ? stage : ender;
    return { written: after, ...(end === undefined ? {} : { ender: end }) };
  }
  const fresh = [...after.must, ...after.may.keys()];
  const left = withDoubtful(before, fresh, (field) => after.may.get(field) ?? doubt(field));
  return { written: { ...left, loose: new Set([...left.loose, ...after.loose]) } };
}

/** Why what a stage writes is not sure: it has a guard, or may fail without ending the run. */
function doubtAbout(
  stage: CompiledStage,
  context: FlowContext,
): ((field: StateField) => Doubt) | undefined {
  const { when } = stage;
  if (when !== undefined) {
    return (field) => {
      const site = context.sites.get(stage.id);
      const guard = site === undefined ? undefined : entry(site.settings, "when");
      const because = `runs only under the guard at ${shortPlace(guard ?? placeOf(stage))}`;
      const isFixed = when.paths.every((path) => /^(inputs|task)(\.|$)/.test(path));
      const condition = isFixed ? { condition: when.source } : {};
      return {
        writer: writerIn(stage, field, context),
        because,
        cure: "give this one the same guard",
        ...condition,
      };
    };
  }
  if (stage.onError === "fail") return undefined;
  return (field) => {
    const place = `\`onError: continue\` at ${shortPlace(placeOf(stage))}`;
    const because = `may fail, and the run goes on (${place})`;
    const cure = `delete \`onError: continue\` of \`${stage.id}\``;
    return { writer: writerIn(stage, field, context), because, cure };
  };
}
