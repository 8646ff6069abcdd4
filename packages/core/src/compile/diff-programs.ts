import type { Json, JsonObject } from "../contracts/json.ts";
import type { Program } from "../program/program.ts";
import { countText } from "./count-text.ts";
import { diffStages } from "./diff-stages.ts";
import { hiddenValues } from "./hide-secrets.ts";
import { type Difference, differencesOf } from "./json-difference.ts";
import { priceCeiling } from "./price-ceiling.ts";

export type { Difference } from "./json-difference.ts";

/** What differs in what two programs do, and in what they may cost; nothing where only comments and the order of keys do. */
export function diffPrograms(before: Program, after: Program): readonly Difference[] {
  if (before.hash === after.hash) return [];
  const found = [
    ...["name", "version", "description"].flatMap((key) => ofKey(key, before, after)),
    ...diffStages(before, after),
    ...diffModels(before, after),
    ...sections.flatMap((key) => ofKey(key, before, after)),
    ...diffAgents(before, after),
    ...diffCosts(before, after),
  ];
  const told = new Set(found.map(({ path }) => path));
  found.push(...diffHidden(before, after).filter(({ path }) => !told.has(path)));
  return found.length > 0 ? found : differencesOf(before.canonical, after.canonical, "spec");
}

/** Prints one difference in a line. */
export function formatDifference({ path, text }: Difference): string {
  return `${path} ${text}`;
}

/** The sections of a canonical spec in the order in which they are told. */
const sections: readonly string[] = [
  "tools",
  "inputs",
  "task",
  "instructions",
  "glossary",
  "language",
  "output",
  "limits",
  "memory",
  "sinks",
  "switches",
  "workspace",
  "cases",
  "dryRun",
];

function ofKey(key: string, before: Program, after: Program): readonly Difference[] {
  const [first, second] = [before, after].map(({ canonical }) => brief(key, canonical[key]));
  return named(key)
    ? differencesOf(first ?? {}, second ?? {}, key)
    : differencesOf(first, second, key);
}

function named(key: string): boolean {
  return key === "tools" || key === "memory" || key === "sinks" || key === "limits";
}

/** A tool is told by what a spec says of it: its manual and its input belong to the plugin. */
function brief(key: string, value: Json | undefined): Json | undefined {
  if (key !== "tools" || value === undefined) return value;
  const tools = value as Readonly<Record<string, JsonObject>>;
  return Object.fromEntries(
    Object.entries(tools).map(([name, { use, options, policy, description, input }]) => {
      const body = { ...(options as JsonObject), ...(policy as JsonObject) };
      return [
        name,
        { use: use ?? "", ...body, description: description ?? "", input: input ?? {} },
      ];
    }),
  );
}

/** Roles, by name; which model a stage has is told with the stage. */
function diffModels(before: Program, after: Program): readonly Difference[] {
  const [first, second] = [before, after].map(rolesOf);
  if (first === undefined || second === undefined) return [];
  return [...first].flatMap(([name, model]) => {
    const other = second.get(name);
    if (other === undefined) return [];
    return differencesOf(settingsOf(model), settingsOf(other), `models.${name}`);
  });
}

function rolesOf({ models, canonical }: Program): ReadonlyMap<string, JsonObject> {
  const contents = canonical["models"] as readonly JsonObject[];
  return new Map(models.map(({ id, role }, at) => [role === "" ? id : role, contents[at] ?? {}]));
}

function settingsOf(content: JsonObject): JsonObject {
  const { use: _, provider: __, profile: ___, role: ____, options, fallback, ...rest } = content;
  return { ...(options as JsonObject | undefined), ...rest, fallback: fallback ?? [] };
}

/** Inner agents by where they are called; one that only one of the programs calls is told with its stage or tool. */
function diffAgents(before: Program, after: Program): readonly Difference[] {
  return [...(before.agents ?? [])].flatMap(([name, agent]) => {
    const other = after.agents?.get(name);
    if (other === undefined) return [];
    const where = `agents.${name.replace(/^tool:/u, "")}`;
    return diffPrograms(agent, other).map(({ path, text }) => ({
      path: `${where}: ${path}`,
      text,
    }));
  });
}

/** What differs only in a value that is never shown. */
function diffHidden(before: Program, after: Program): readonly Difference[] {
  const [first, second] = [hiddenValues(before), hiddenValues(after)];
  return [...first].flatMap(([path, value]) => {
    const other = second.get(path);
    return other === undefined || other === value ? [] : [{ path, text: "changed" }];
  });
}

function diffCosts(before: Program, after: Program): readonly Difference[] {
  const [first, second] = [before.bounds, after.bounds];
  const ceilings = [before, after].map((program) => {
    const { usd } = priceCeiling(program);
    return usd === undefined ? "none" : `${Number(usd.toPrecision(4))} dollars`;
  });
  return [
    ...worst(first.requests[1], second.requests[1], "requests"),
    ...worst(first.toolCalls[1], second.toolCalls[1], "tool calls"),
    ...differencesOf(ceilings[0], ceilings[1], "price ceiling"),
  ];
}

function worst(before: number, after: number, what: string): readonly Difference[] {
  const [first, second] = [before, after].map(countText);
  return before === after ? [] : [{ path: "worst case", text: `${first} → ${second} ${what}` }];
}
