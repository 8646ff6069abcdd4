import type { SpecDocument } from "../spec/document/read-document.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import type { Template } from "../spec/text/template.ts";
import type { CompiledStage, Limits } from "../program/program.ts";
import { countText, isHuge } from "./count-text.ts";
import type { Draft } from "./canonical-spec.ts";
import type { ReadStage } from "./read-stages.ts";

/** Work that a limit bounds: what it takes at the least and at the most. */
interface Work {
  /** `limits`, or `limits` of something, as messages name it. */
  readonly name: string;
  /** The subject of sentences: a run, a stage. */
  readonly who: string;
  readonly modelCalls: readonly [least: number, most: number];
  readonly toolCalls: readonly [least: number, most: number];
  /** Model calls without which it can't begin and conclude. */
  readonly floor: number;
  /** Of the floor: model calls of stages that always run. */
  readonly reserve: number;
  /** 1 where it may write a conclusion with one more model call, which never ends it. */
  readonly conclusion: number;
  /** Tokens of the text that is in each model call, at the very least. */
  readonly tokensPerCall: number;
}

/** What the comparison of limits with bounds looks at. */
export interface LimitParts {
  readonly draft: Draft;
  readonly document: SpecDocument;
  readonly stages: ReadonlyMap<string, ReadStage>;
}

/** Compares the limits of the spec, of its stages and of its switches with what the work under them takes. */
export function checkLimits(
  { draft, document, stages }: LimitParts,
  diagnostics: Diagnostics,
): void {
  const tokensPerCall = leastTokens(draft.instructions);
  const limits = document.section("limits");
  if (limits !== undefined)
    compare(limits, draft.limits, workOfRun(draft, tokensPerCall), diagnostics);
  for (const [id, site] of stages) {
    const stage = draft.stages.get(id);
    const node = entry(site.settings, "limits");
    if (stage !== undefined && node !== undefined)
      compare(node, stage.limits, workOfStage(stage, tokensPerCall), diagnostics);
  }
  const switches = document.section("switches");
  for (const [name, { limits: less, stages: off }] of draft.switches ?? []) {
    const thrown = switches?.kind === "map" ? entry(switches, name) : undefined;
    const node = thrown?.kind === "map" ? entry(thrown, "limits") : undefined;
    const work = workOfRun(draft, tokensPerCall, new Set(off));
    compare(node, less, { ...work, name: `limits of the switch \`${name}\`` }, diagnostics);
  }
}

/** The work of a whole run, without stages that are switched off. */
function workOfRun(
  draft: Draft,
  tokensPerCall: number,
  off: ReadonlySet<string> = new Set(),
): Work {
  const { strategy, bounds } = draft;
  const stages = strategy.stages.filter(({ id }) => !off.has(id));
  const sum = (of: (stage: CompiledStage) => number): number =>
    stages.reduce((total, stage) => total + of(stage), 0);
  const [leastCalls, leastTools] = leastWork(stages, off);
  return {
    name: "limits",
    who: "a run",
    modelCalls: [leastCalls, sum(({ requests }) => requests[1])],
    toolCalls: [leastTools, sum((stage) => stage.bounds.toolCalls[1])],
    floor: bounds.reserve + 2,
    conclusion: bounds.conclusion,
    reserve: bounds.reserve,
    tokensPerCall,
  };
}

function workOfStage(stage: CompiledStage, tokensPerCall: number): Work {
  const [leastCalls, leastTools] = leastWork([stage], new Set());
  return {
    name: `limits of \`${stage.id}\``,
    who: `\`${stage.id}\``,
    modelCalls: [leastCalls, stage.requests[1]],
    toolCalls: [leastTools, stage.bounds.toolCalls[1]],
    floor: 1,
    conclusion: 0,
    reserve: 0,
    tokensPerCall,
  };
}

/** Model calls and tool calls that a run surely makes: those of the stages before the first that may end it. */
function leastWork(
  stages: readonly CompiledStage[],
  off: ReadonlySet<string>,
): readonly [calls: number, tools: number] {
  let [calls, tools] = [0, 0];
  for (const stage of stages) {
    if (isOpen(stage, off)) break;
    calls += stage.requests[0];
    tools += stage.bounds.toolCalls[0];
  }
  return [calls, tools];
}

/** Whether a stage, or one inside it, may end the run or is switched off: then its least is not sure. */
function isOpen(stage: CompiledStage, off: ReadonlySet<string>): boolean {
  return (
    stage.flow.stops !== undefined ||
    off.has(stage.id) ||
    Object.values(stage.slots).some(({ stages }) => stages.some((inner) => isOpen(inner, off)))
  );
}

function compare(
  node: SpecNode | undefined,
  limits: Limits,
  work: Work,
  diagnostics: Diagnostics,
): void {
  if (node?.kind !== "map") return;
  const at = (key: string): SpecNode => entry(node, key) ?? node;
  for (const [key, words] of counted) {
    const limit = limits[key];
    const [least, most] = work[key];
    if (limit === undefined || most <= limit) continue;
    const floor = key === "modelCalls" ? Math.max(least, work.floor) : least;
    if (limit < floor) reportUnreachable(at(key), key, words, limit, least, work, diagnostics);
    else {
      const conclusion = key === "modelCalls" ? work.conclusion : 0;
      const told = most + conclusion;
      const whole = conclusion === 0 ? "" : " with the conclusion";
      const message = `worst case ${countText(told)} ${words}${whole} is above ${limitName(work, key)} ${countText(limit)}: it may end \`limited\``;
      const repair = `${isHuge(told) ? "" : `write \`${key}: ${told}\` or more, or `}bound the stages more tightly`;
      diagnostics.warn("LW-LIMIT-BELOW-BOUND", at(key), message, repair);
    }
  }
  const [calls] = work.modelCalls;
  const tokens = calls * work.tokensPerCall;
  if (limits.tokens !== undefined && limits.tokens < tokens) {
    const message = `${limitName(work, "tokens")} ${countText(limits.tokens)} can never be met: ${work.who} makes at least ${countText(calls)} model ${plural(calls, "call")}, which together take ${countText(tokens)} tokens at the very least`;
    diagnostics.error(
      "LW-LIMIT-UNREACHABLE",
      at("tokens"),
      message,
      `write a limit well above ${countText(tokens)}`,
    );
  }
}

const counted = [
  ["modelCalls", "model calls"],
  ["toolCalls", "tool calls"],
] as const;

function reportUnreachable(
  at: SpecNode,
  key: "modelCalls" | "toolCalls",
  words: string,
  limit: number,
  least: number,
  work: Work,
  diagnostics: Diagnostics,
): void {
  const needed = key === "modelCalls" ? Math.max(least, work.floor) : least;
  const reserved =
    work.reserve === 0 ? "" : `${countText(work.reserve)} for stages that always run, `;
  const why =
    least >= needed
      ? `${work.who} makes at least ${countText(least)} ${words}`
      : work.floor === 1
        ? `${work.who} needs at least one`
        : `a run needs at least ${countText(needed)} (${reserved}one for the conclusion, one to begin)`;
  const message = `${limitName(work, key)} ${countText(limit)} is too small: ${why}`;
  diagnostics.error("LW-LIMIT-UNREACHABLE", at, message, `write \`${key}: ${needed}\` or more`);
}

/** `limits.modelCalls`, or `limits.modelCalls of \`react\``. */
function limitName({ name }: Work, key: string): string {
  return name.replace(/^limits/, `limits.${key}`);
}

// No tokenizer makes fewer than one token of eight characters; each call also has a message and a reply.
function leastTokens(instructions: Template | undefined): number {
  const texts = (instructions?.parts ?? []).flatMap((part) =>
    part.kind === "text" ? [part.text.trim()] : [],
  );
  return 2 + Math.ceil(texts.join("").length / 8);
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
