import type { Range } from "../contracts/bounds.ts";
import { agentKey } from "../program/agent-key.ts";
import type { Program, ToolEntry, ToolPolicy } from "../program/program.ts";
import type { Cost } from "./cost.ts";

/** The tools of a stage as far as they decide what its calls of agents cost. */
export interface AgentToolFacts {
  readonly names: readonly string[];
  readonly policies: ReadonlyMap<string, ToolPolicy>;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  /** The programs of inner agents, by `tool:NAME` among others. */
  readonly inner: ReadonlyMap<string, Program>;
}

/** What the agents can ask for that a stage calls as tools, for so many tool calls. */
export type AgentToolCost = (calls: number) => Cost;

/** One run of an agent: what it asks for is counted after its own repairs, its conclusion among it. */
export function costOfAgent({ bounds, limits }: Program): Cost {
  const { generations, toolCalls, requests } = bounds;
  const most = (range: Range, limit = Number.POSITIVE_INFINITY): Range => [
    Math.min(range[0], limit),
    Math.min(range[1], limit),
  ];
  return {
    bounds: { generations, toolCalls: most(toolCalls, limits.toolCalls) },
    requests: most(requests, limits.modelCalls),
  };
}

/** The greatest cost of one tool call of a stage, in agents alone; undefined where it can call none. */
export function costOfAgentTools(facts: AgentToolFacts): AgentToolCost | undefined {
  const parts = facts.names.map((name) => costOfCall(name, facts));
  const most = (of: (part: CallCost) => number): number => Math.max(0, ...parts.map(of));
  const call: CallCost = {
    generations: most(({ generations }) => generations),
    toolCalls: most(({ toolCalls }) => toolCalls),
    requests: most(({ requests }) => requests),
  };
  if (call.generations + call.toolCalls + call.requests === 0) return undefined;
  const pot = potOf(facts);
  return (calls) => ({
    bounds: {
      generations: [0, times(call.generations, calls)],
      toolCalls: [0, times(call.toolCalls, calls)],
    },
    requests: [0, Math.min(pot, times(call.requests, calls))],
  });
}

/** The model calls that the limits of all agent tools of a stage allow together. */
function potOf({ names, policies, tools, inner }: AgentToolFacts): number {
  const policyOf = (name: string): ToolPolicy | undefined =>
    policies.get(name) ?? tools.get(name)?.policy;
  const standIns = names.flatMap((name) => {
    const fallback = policyOf(name)?.fallback;
    return fallback !== undefined && "tool" in fallback ? [fallback.tool] : [];
  });
  return [...new Set([...names, ...standIns])]
    .filter((name) => inner.has(agentKey(name)))
    .reduce((sum, name) => {
      const { modelCalls = Number.POSITIVE_INFINITY } = policyOf(name)?.limits ?? {};
      return sum + modelCalls;
    }, 0);
}

interface CallCost {
  readonly generations: number;
  readonly toolCalls: number;
  readonly requests: number;
}

/** One call of a tool, in agents alone: itself as often as it is tried, and what stands in for it. */
function costOfCall(name: string, facts: AgentToolFacts): CallCost {
  const { tools, policies } = facts;
  const entry = tools.get(name);
  const policy = policies.get(name) ?? entry?.policy;
  const own = triedCost(name, policy, facts);
  const fallback = policy?.fallback;
  if (fallback === undefined || !("tool" in fallback)) return own;
  const other = policies.get(fallback.tool) ?? tools.get(fallback.tool)?.policy;
  const standIn = triedCost(fallback.tool, other, facts);
  return {
    generations: own.generations + standIn.generations,
    toolCalls: own.toolCalls + standIn.toolCalls,
    requests: own.requests + standIn.requests,
  };
}

function triedCost(
  name: string,
  policy: ToolPolicy | undefined,
  { inner }: AgentToolFacts,
): CallCost {
  const agent = inner.get(agentKey(name));
  if (agent === undefined) return { generations: 0, toolCalls: 0, requests: 0 };
  const { bounds, requests } = costOfAgent(agent);
  const attempts = policy?.retry?.attempts ?? 1;
  return {
    generations: bounds.generations[1] * attempts,
    toolCalls: bounds.toolCalls[1] * attempts,
    requests: requests[1] * attempts,
  };
}

// Infinite calls of a tool that costs nothing are no number.
function times(cost: number, calls: number): number {
  return cost === 0 ? 0 : cost * calls;
}
