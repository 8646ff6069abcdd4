import type { Plan, Slots, StrategyContext } from "@loopwright/core/plugin";
import { conflictText, isAbout, isDecided, isDecision } from "./conflict-words.ts";
import { settle } from "./conflicts.ts";
import { isSameText } from "./plain-words.ts";
import { type PlanDraft, type PlanRoom, stepsOf } from "./plan-draft.ts";
import { inventedIn } from "./plan-faults.ts";
import { type Planning, repliesIn } from "./plan-prompt.ts";
import type { PlannedConflict } from "./planned-conflict.ts";

/** A plan, and the conflicts in it that a person must decide. */
export interface Planned {
  readonly plan: Plan;
  readonly open: readonly PlannedConflict[];
}

/** A draft with what it was asked for. */
interface Drafted {
  readonly draft: PlanDraft;
  readonly room: PlanRoom;
  readonly planning: Planning;
  /** What the planner was told. */
  readonly prompt: string;
}

/**
 * The plan of a draft. Nothing is lost in silence: a hard constraint that the draft leaves out is put back, a conflict of
 * the plan before stays open until it is settled or decided, and what looks made up is told.
 */
export function plannedOf<S extends Slots>(
  context: StrategyContext<S>,
  { draft, room, planning, prompt }: Drafted,
): Planned {
  const { language, state } = context;
  const before = state.plan.tradeoffs ?? [];
  const isAgain = planning.request !== undefined;
  const earlier = isAgain ? before : before.filter((text) => isDecision(text, language));
  const decisions = planning.decisions ?? [];
  const { open, tradeoffs, relaxed } = settle(draft.conflicts, state.task.constraints, language);
  const left = open.filter((one) => !isDecided([...earlier, ...decisions], one, language));
  const carried = carriedOver(context, draft, planning);
  const all = [...left, ...carried];
  const settled = [...new Set([...decisions, ...earlier, ...tradeoffs])];
  const steps = stepsOf(draft, room);
  tellLeftOut(context, { draft, room, prompt }, steps);
  const plan = {
    goal: draft.goal,
    constraints: [...putBack(context, draft, relaxed), ...draft.constraints],
    conflicts: all.map((conflict) => conflictText(conflict, language)),
    ...(settled.length === 0 ? {} : { tradeoffs: settled }),
    steps,
  };
  return { plan, open: all };
}

/** The hard constraints that a draft leaves out without a word. */
function putBack<S extends Slots>(
  context: StrategyContext<S>,
  { constraints }: PlanDraft,
  relaxed: readonly string[],
): readonly string[] {
  const hard = context.state.task.constraints
    .map(({ text }) => text)
    .filter((text) => !relaxed.includes(text));
  const kept = hard.filter((text) => !constraints.some((said) => isSameText(said, text)));
  if (kept.length > 0) context.fact("constraints.kept", { constraints: kept });
  if (relaxed.length > 0) context.fact("constraints.relaxed", { constraints: relaxed });
  return kept;
}

/**
 * The open conflicts of the plan before that the draft says nothing of. Where a person replied to a stage before, a plan
 * made for that reply settles them by leaving them out, and that is told.
 */
function carriedOver<S extends Slots>(
  context: StrategyContext<S>,
  { conflicts }: PlanDraft,
  { request, decided = [] }: Planning,
): readonly PlannedConflict[] {
  const { language, state } = context;
  if (state.task.part !== undefined && request === undefined) return [];
  const known = [...conflicts, ...decided];
  const texts = state.plan.conflicts.filter(
    (text) => !known.some((conflict) => isAbout(text, conflict, language)),
  );
  if (texts.length === 0) return [];
  if (request === undefined && decided.length === 0 && repliesIn(context).length > 0) {
    context.fact("conflicts.replied", { conflicts: texts });
    return [];
  }
  return texts.map((detail) => ({ ...AS_TOLD, detail }));
}

/** A conflict of which only the words are known. */
const AS_TOLD = { between: [], resolution: "ask", relaxed: "", prices: [] } as const;

/** Tells which ids of the draft stand nowhere else, and which steps that are done found no room. */
function tellLeftOut<S extends Slots>(
  context: StrategyContext<S>,
  { draft, room, prompt }: Omit<Drafted, "planning">,
  steps: Plan["steps"],
): void {
  const values = inventedIn(draft.steps, prompt);
  if (values.length > 0) context.fact("values.unknown", { values: values.slice(0, maxValues) });
  const dropped = room.done.map(({ id }) => id).filter((id) => !steps.some((one) => one.id === id));
  if (dropped.length > 0) context.fact("plan-steps.dropped", { steps: dropped });
}

const maxValues = 10;
