import { relative } from "node:path";
import type { CompiledStage, Limits, MemoryEntry, Program } from "../program/program.ts";
import type { Position } from "../spec/text/diagnostic.ts";
import { entry, type MapNode, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import type { Template } from "../spec/text/template.ts";
import { countText, isHuge } from "./count-text.ts";

/** One thing to be sure of before an agent is let loose. */
export interface LaunchCheck {
  readonly id: "loops" | "permissions" | "outputs" | "verifiers" | "memory" | "cases";
  readonly title: string;
  readonly isPassed: boolean;
  /** What holds, or what to do. */
  readonly text: string;
  /** What it is about; the first thing to mend where it fails. */
  readonly at: Position;
}

interface Finding {
  readonly text: string;
  readonly at: Position;
}

/** A program of the agent: its own, or that of an agent inside it. */
interface Part {
  readonly program: Program;
  /** The spec, for places; missing for an inner agent. */
  readonly root: MapNode | undefined;
}

/** Looks at a program as a whole before it is let loose; `root` is the spec, for places. Six checks, in a fixed order. */
export function launchChecks(program: Program, root?: MapNode): readonly LaunchCheck[] {
  const parts = partsOf({ program, root }, new Set());
  return [
    toCheck("loops", "loops bounded", loops({ program, root }), {
      text: `${worstCaseText(program.bounds.requests[1], program.bounds.toolCalls[1])}, ${limitsText(program.limits)}`,
      at: placeOf({ program, root }, "limits"),
    }),
    toCheck("permissions", "permissions graded", parts.flatMap(permissions), {
      text: "whatever changes something is asked for, or refused by a rule",
      at: placeOf({ program, root }, "tools"),
    }),
    toCheck("outputs", "outputs not instructions", parts.flatMap(outputs), {
      text: "no instructions hold an input, a tool's result or a model's words",
      at: placeOf({ program, root }, "instructions"),
    }),
    toCheck("verifiers", "verifiers external", verifiers({ program, root }), {
      text: "the answer is judged by more than the model that wrote it",
      at: judgesOf(program)[0]?.position ?? placeOf({ program, root }, "output"),
    }),
    toCheck("memory", "memory deletable and expiring", parts.flatMap(memories), {
      text: memoryText(program),
      at: placeOf({ program, root }, "memory"),
    }),
    toCheck("cases", "cases for the whole task", cases({ program, root }), {
      text: relative(program.root, program.cases ?? ""),
      at: placeOf({ program, root }, "cases"),
    }),
  ];
}

function toCheck(
  id: LaunchCheck["id"],
  title: string,
  findings: readonly Finding[],
  passed: Finding,
): LaunchCheck {
  const [first, ...more] = findings;
  if (first === undefined) return { id, title, isPassed: true, ...passed };
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return { id, title, isPassed: false, text: `${first.text}${others}`, at: positionOf(first.at) };
}

function partsOf(part: Part, seen: Set<Program>): readonly Part[] {
  if (seen.has(part.program)) return [];
  seen.add(part.program);
  const inner = [...(part.program.agents?.values() ?? [])];
  return [part, ...inner.flatMap((program) => partsOf({ program, root: undefined }, seen))];
}

/** Steps are bounded by the compiler; what one run may cost or how long it may take is for the spec to say. */
function loops(part: Part): readonly Finding[] {
  const { program } = part;
  const calls = program.bounds.requests[1];
  const open = [...program.stages.values()].find(({ requests }) => !Number.isFinite(requests[1]));
  if (open !== undefined) {
    return [{ text: `\`${open.id}\` has no bound; give its loop a most`, at: open.position }];
  }
  const { limits } = program;
  const hasCost = [limits.modelCalls, limits.tokens, limits.usd].some((one) => one !== undefined);
  const hasTime = limits.timeMs !== undefined || limits.workTimeMs !== undefined;
  const at = placeOf(part, "limits");
  return [
    ...(hasCost
      ? []
      : [
          {
            text: `no limit on what a run costs; add modelCalls${isHuge(calls) ? "" : ` (at most ${calls})`}, tokens or usd to \`limits\``,
            at,
          },
        ]),
    ...(hasTime ? [] : [{ text: "no limit on how long a run takes; add `time` to `limits`", at }]),
  ];
}

function worstCaseText(modelCalls: number, toolCalls: number): string {
  const isOpen = isHuge(modelCalls) || isHuge(toolCalls);
  return `${isOpen ? "" : "at most "}${countText(modelCalls)} model calls and ${countText(toolCalls)} tool calls`;
}

function limitsText(limits: Limits): string {
  return `under limits on ${Object.keys(limits)
    .map((name) => name.replace(/Ms$/u, ""))
    .join(", ")}`;
}

/** A tool that changes something is dangerous where a stage may call it and nobody and no rule stands before it. */
function permissions(part: Part): readonly Finding[] {
  const { program, root } = part;
  const isOpen = (stage: CompiledStage, name: string): boolean => {
    const policy = stage.policies.get(name) ?? program.tools.get(name)?.policy;
    if (policy === undefined || policy.effect === "read") return false;
    return policy.approval === "never" && policy.deny === undefined;
  };
  const stages = [...program.stages.values()];
  return [...program.tools.values()].flatMap(({ name, policy }) => {
    const stage = stages.find((one) => one.tools.includes(name) && isOpen(one, name));
    if (stage === undefined) return [];
    const what = policy.effect === "once" ? "acts anew with every call" : "changes something";
    const text = `\`${name}\` ${what} and nobody is asked; give it \`approval: always\`, \`approval: { when: … }\` or a \`deny\``;
    return [{ text, at: itemOf(root, "tools", name) ?? stage.position }];
  });
}

/** What comes from outside is data: in the system text it could give orders. */
function outputs(part: Part): readonly Finding[] {
  const { program } = part;
  const stages = [...program.stages.values()];
  return [
    ...readOf(program.instructions, "the spec's `instructions`", placeOf(part, "instructions")),
    ...stages.flatMap(({ id, instructions, position }) =>
      readOf(instructions, `the \`instructions\` of \`${id}\``, position),
    ),
  ];
}

function readOf(template: Template | undefined, owner: string, at: Position): readonly Finding[] {
  const path = template?.paths[0]?.path;
  if (path === undefined) return [];
  const text = `${owner} hold \`{{ ${path} }}\`, which could give orders; say it in \`task\` or \`prompt\``;
  return [{ text, at }];
}

function judgesOf({ stages }: Program): readonly CompiledStage[] {
  return [...stages.values()].filter(
    ({ flow }) =>
      flow.sets?.includes("verdict") === true || flow.maySet?.includes("verdict") === true,
  );
}

function verifiers(part: Part): readonly Finding[] {
  const { program } = part;
  const alone = program.diagnostics.find(({ code }) => code === "LW-MODEL-SELF-JUDGE");
  const hasChecks = (program.output?.checks.length ?? 0) > 0;
  if (alone !== undefined && !hasChecks) {
    const text =
      "the model that writes the answer is its only judge; add `checks`, or another `model` that judges";
    return [{ text, at: alone }];
  }
  if (hasChecks || judgesOf(program).length > 0) return [];
  const text =
    "nothing judges the answer; add a `verify` with `checks` or another model, or `output.checks`";
  return [{ text, at: placeOf(part, "strategy") }];
}

function memories(part: Part): readonly Finding[] {
  const { program, root } = part;
  return [...program.memories.values()].flatMap((memory) => {
    if (memory.options["ttl"] !== undefined) return [];
    const text = hasTtl(memory)
      ? `what \`${memory.name}\` keeps never expires; give it a \`ttl\`, like 90d`
      : `\`${memory.definition.id}\` knows no \`ttl\`, so what \`${memory.name}\` keeps never expires; use a memory that does`;
    return [{ text, at: itemOf(root, "memory", memory.name) ?? placeOf(part, "memory") }];
  });
}

function hasTtl({ definition }: MemoryEntry): boolean {
  return Object.hasOwn(definition.options.properties, "ttl");
}

function memoryText({ memories: kept }: Program): string {
  return kept.size === 0
    ? "nothing is kept"
    : "what is kept expires, and `loopwright lessons remove` deletes it";
}

function cases(part: Part): readonly Finding[] {
  if (part.program.cases !== undefined) return [];
  const text = "nothing says how the whole task is judged; name a file of cases with `cases:`";
  return [{ text, at: placeOf(part, "cases") }];
}

/** Where a key of the spec stands; its first line where the spec has no such key. */
function placeOf({ program, root }: Part, key: string): Position {
  const found = root?.entries.get(key)?.key;
  return found === undefined ? { file: program.file, line: 1, column: 1 } : positionOf(found);
}

/** Where an entry of a section stands, in a list or a map. */
function itemOf(root: MapNode | undefined, section: string, name: string): Position | undefined {
  const node = root === undefined ? undefined : entry(root, section);
  if (node?.kind === "map") return node.entries.get(name)?.key;
  return node?.kind === "list" ? node.items.find((item) => isNamed(item, name)) : undefined;
}

function isNamed(item: SpecNode, name: string): boolean {
  if (item.kind === "scalar") return item.value === name;
  return item.kind === "map" && item.entries.has(name);
}
