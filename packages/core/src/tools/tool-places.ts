import { Account, type Pass } from "../calls/account.ts";
import { Breaker } from "../calls/breaker.ts";
import type { ToolPolicy } from "../program/program.ts";
import type { Scope } from "../events/scope.ts";
import type { LinkedProgram } from "../run/linked-program.ts";
import type { Frame } from "../run/run-scope.ts";
import type { KnownCall } from "./known-call.ts";
import { specEntryOf } from "./stage-tool.ts";

/** What calls of one entry of `tools`, of a set those of all its tools, share with all other runs of the program. */
export interface ToolPlace {
  /** The name of the entry. */
  readonly name: string;
  readonly account?: Account;
  readonly breaker?: Breaker;
}

type Shared = Pick<ToolPolicy, "rateLimit" | "maxParallel" | "breaker">;

const nowhere: readonly ToolPlace[] = [];
const places = new WeakMap<LinkedProgram, Map<string, ToolPlace>>();

/** The places that a call goes through: the tool's, and before it the stage's own where its policy is tighter; none where nothing is limited. */
export function toolPlaces(frame: Frame, { entry, policy }: KnownCall): readonly ToolPlace[] {
  if (isOpen(policy)) return nowhere;
  const { name } = specEntryOf(frame, entry);
  const { policy: base } = entry;
  const tighter = tighterThan(base, policy);
  const own = isOpen(tighter) ? [] : [placeOf(frame, name, tighter, frame.stage?.id)];
  return isOpen(base) ? own : [...own, placeOf(frame, name, base)];
}

function isOpen({ rateLimit, maxParallel, breaker }: Shared): boolean {
  return rateLimit === undefined && maxParallel === undefined && breaker === undefined;
}

/** What a stage says beyond the tool. */
function tighterThan(base: Shared, policy: Shared): Shared {
  const { rateLimit, maxParallel, breaker } = policy;
  return {
    ...(rateLimit === undefined || rateLimit === base.rateLimit ? {} : { rateLimit }),
    ...(maxParallel === undefined || maxParallel === base.maxParallel ? {} : { maxParallel }),
    ...(breaker === undefined || breaker === base.breaker ? {} : { breaker }),
  };
}

function placeOf(
  { run }: Frame,
  name: string,
  { breaker, ...account }: Shared,
  stage?: string,
): ToolPlace {
  const { linked } = run;
  const all = places.get(linked) ?? new Map<string, ToolPlace>();
  places.set(linked, all);
  const key = stage === undefined ? name : `${name} ${stage}`;
  const known = all.get(key);
  if (known !== undefined) return known;
  const place: ToolPlace = {
    name,
    ...(isOpen(account) ? {} : { account: openAccount(linked, account) }),
    ...(breaker === undefined ? {} : { breaker: new Breaker(breaker, linked.clock) }),
  };
  all.set(key, place);
  return place;
}

function openAccount({ clock }: LinkedProgram, policy: Shared): Account {
  const account = new Account(clock);
  account.restrict(policy);
  return account;
}

/** Waits until every account lets a call go; undefined where none has a say. Ends with the frame's signal, and tells what it waits for. */
export async function enterPlaces(
  frame: Frame,
  scope: Scope,
  { entry }: KnownCall,
  through: readonly ToolPlace[],
): Promise<Pass | undefined> {
  const passes: Pass[] = [];
  const asking = {
    model: entry.name,
    tokens: 0,
    signal: frame.signal,
    patienceMs: Number.POSITIVE_INFINITY,
    tell: (reason: string, waitMs: number) =>
      frame.run.bus.emit(
        "tool.delayed",
        { tool: entry.name, reason: reason === "parallel" ? "parallel" : "rate", waitMs },
        scope,
      ),
  };
  try {
    for (const { account } of through)
      if (account !== undefined) passes.push(await account.enter(asking));
  } catch (fault) {
    for (const pass of passes) pass.drop();
    throw fault;
  }
  if (passes.length === 0) return undefined;
  return {
    leave: () => passes.forEach((pass) => pass.leave()),
    drop: () => passes.forEach((pass) => pass.drop()),
  };
}
