import type { Json, JsonObject } from "../contracts/json.ts";
import type { CompiledSequence, CompiledStage, Program } from "../program/program.ts";
import { type Difference, differencesOf } from "./json-difference.ts";

/** What differs between the stages of two programs, by their ids. */
export function diffStages(before: Program, after: Program): readonly Difference[] {
  const [first, second] = [placesOf(before), placesOf(after)];
  const gone = [...first.keys()].filter((id) => !second.has(id));
  const come = [...second.keys()].filter((id) => !first.has(id));
  const kept = [...first.keys()].filter((id) => second.has(id));
  const order = [...second.keys()].filter((id) => first.has(id));
  return [
    ...gone.map((id) => ({ path: `stage ${id}`, text: `removed (was ${whatIs(first.get(id))})` })),
    ...come.map((id) => ({ path: `stage ${id}`, text: `added: ${whatIs(second.get(id))}` })),
    ...kept.flatMap((id) => moved(id, first.get(id), second.get(id))),
    ...reordered(kept, order, first, second),
    ...kept.flatMap((id) => changed(id, first.get(id), second.get(id))),
  ];
}

interface Place {
  readonly stage: CompiledStage;
  /** The slot that it stands in: `strategy`, `verify.revise`. */
  readonly slot: string;
  /** Its settings and options, as the canonical spec holds them. */
  readonly content: JsonObject;
}

function placesOf({ strategy, canonical }: Program): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const visit = (sequence: CompiledSequence, slot: string, contents: Json | undefined): void => {
    for (const [at, stage] of sequence.stages.entries()) {
      const content = (Array.isArray(contents) ? contents[at] : {}) as JsonObject;
      places.set(stage.id, { stage, slot, content });
      const slots = (content["slots"] ?? {}) as JsonObject;
      for (const [name, child] of Object.entries(stage.slots))
        visit(child, `${stage.id}.${name}`, slots[name]);
    }
  };
  visit(strategy, "strategy", canonical["strategy"]);
  return places;
}

function whatIs(place: Place | undefined): string {
  return place === undefined ? "" : `${place.stage.definition.id} in ${place.slot}`;
}

function moved(
  id: string,
  before: Place | undefined,
  after: Place | undefined,
): readonly Difference[] {
  if (before === undefined || after === undefined || before.slot === after.slot) return [];
  return [{ path: `stage ${id}`, text: `moved from ${before.slot} to ${after.slot}` }];
}

/** Says once for each slot that its stages run in another order. */
function reordered(
  before: readonly string[],
  after: readonly string[],
  first: ReadonlyMap<string, Place>,
  second: ReadonlyMap<string, Place>,
): readonly Difference[] {
  const stays = (id: string): boolean => first.get(id)?.slot === second.get(id)?.slot;
  const slots = new Set(before.filter(stays).map((id) => first.get(id)?.slot ?? ""));
  return [...slots].flatMap((slot) => {
    const inSlot = (id: string): boolean => stays(id) && first.get(id)?.slot === slot;
    const [was, is] = [before.filter(inSlot), after.filter(inSlot)];
    if (was.join(" ") === is.join(" ")) return [];
    return [{ path: slot, text: `order changed: ${was.join(", ")} → ${is.join(", ")}` }];
  });
}

function changed(
  id: string,
  first: Place | undefined,
  second: Place | undefined,
): readonly Difference[] {
  if (first === undefined || second === undefined) return [];
  const [was, is] = [first, second].map(({ content }) => ownContent(content));
  return [
    ...differencesOf(first.stage.definition.id, second.stage.definition.id, `${id} strategy`),
    ...modelDifferences(id, first.stage, second.stage),
    ...differencesOf(was ?? {}, is ?? {}, id),
  ];
}

/** Options and settings at one level, as a spec has them; children and models are told apart from them. */
function ownContent(content: JsonObject): JsonObject {
  const { use: _use, id: _id, slots: _slots, model: _model, options, ...settings } = content;
  return { ...settings, ...(options as JsonObject | undefined) };
}

function modelDifferences(
  id: string,
  before: CompiledStage,
  after: CompiledStage,
): readonly Difference[] {
  const [first, second] = [before, after].map((stage): JsonObject => {
    if (stage.noModel) return { default: "none" };
    const said = Object.entries(stage.models).map(([voice, model]) => [voice, model.id] as const);
    return Object.fromEntries(said);
  });
  const found = differencesOf(first ?? {}, second ?? {}, `${id}.model`);
  return found.map(({ path, text }) => ({
    path: path.endsWith(".default") ? `${id}.model` : path,
    text: `changed: ${text}`,
  }));
}
