import { defineTool, type Effect, type ToolDefinition } from "../contracts/tool.ts";
import type { JsonObject, JsonSchema } from "../contracts/json.ts";
import { specPath, Type } from "../contracts/schema.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import { isJsonObject } from "../spec/document/options-context.ts";
import { agentToolId } from "../program/agent-key.ts";
import type { Program } from "../program/program.ts";

/** The tool that runs another agent; without a program, where its spec has errors, only its form is known. */
export function agentTool(program: Program | undefined): ToolDefinition {
  return defineTool({
    id: agentToolId,
    description: program?.description ?? "",
    options: Type.Object({
      spec: specPath({ description: "The spec of the agent, below the project root." }),
    }),
    input: () => (program === undefined ? {} : argumentsOf(program)),
    effect: program === undefined ? "read" : strongestEffect(program),
    // Its own limits bound it, and what it has done is not done again unless the spec says so.
    policy: { timeoutMs: Number.POSITIVE_INFINITY, retry: { attempts: 1 } },
    create: () => () => {
      throw new InternalError("contract-broken", "core runs agents itself, not by a function");
    },
  });
}

/** What an agent takes as a tool: its inputs, and the task where it has none of its own. */
function argumentsOf(program: Program): JsonSchema {
  const { fields } = program.inputs;
  const needed = Array.isArray(program.inputs.schema["required"])
    ? program.inputs.schema["required"].map(String)
    : [];
  // What may be null may be left out.
  const required = needed.filter((name) => fields[name]?.optional !== true);
  const schema: JsonSchema = { ...program.inputs.schema, required };
  const properties: JsonObject = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  if (hasTask(program) || properties["task"] !== undefined) return schema;
  return {
    ...schema,
    properties: {
      task: { type: "string", minLength: 1, description: "What the agent is to do." },
      ...properties,
    },
    required: ["task", ...required],
  };
}

function hasTask({ task }: Program): boolean {
  return task.text.parts.length > 0 || task.mission !== undefined || task.deliverable !== undefined;
}

const effects: readonly Effect[] = ["read", "idempotent", "once"];

/** The strongest effect of all tools that an agent can reach. */
function strongestEffect(program: Program): Effect {
  const own = [...program.stages.values()].flatMap((stage) =>
    reachable(stage.tools, program).map((name) => program.tools.get(name)?.policy.effect ?? "read"),
  );
  const inner = [...(program.agents ?? [])].flatMap(([key, agent]) =>
    key.startsWith("tool:") ? [] : [strongestEffect(agent)],
  );
  const strength = Math.max(0, ...[...own, ...inner].map((effect) => effects.indexOf(effect)));
  return effects[strength] ?? "once";
}

// What stands in for a tool is reached as well.
function reachable(names: readonly string[], program: Program): readonly string[] {
  const found = new Set<string>();
  const follow = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const fallback = program.tools.get(name)?.policy.fallback;
    if (fallback !== undefined && "tool" in fallback) follow(fallback.tool);
  };
  names.forEach(follow);
  return [...found];
}
