import { checks } from "@loopwright/checks";
import type { PluginPackage } from "@loopwright/core";
import {
  defineTool,
  type Effect,
  type PluginDefinition,
  type ProviderRequest,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { memories } from "@loopwright/memories";
import { type ScriptedReplies, type ScriptedReply, scriptedProvider } from "@loopwright/providers";
import { sinks } from "@loopwright/sinks";
import { strategies } from "@loopwright/strategies";
import { tools } from "@loopwright/tools";
import { runSpec, type RunSpecOptions, type SpecRun } from "../run-spec.ts";

/** A run with a scripted model `stub/model`, and every request it was sent. */
export interface ScriptedRun extends SpecRun {
  readonly requests: readonly ProviderRequest[];
}

/** What a test brings beside the built-in plugins. */
export interface ScriptedRunOptions extends Partial<Omit<RunSpecOptions, "plugins">> {
  readonly plugins?: readonly PluginDefinition[];
}

/** Runs a spec whose head is given here; `body` is the rest of the file, from `strategy:` on. */
export async function runScripted(
  body: string,
  replies: ScriptedReplies,
  options: ScriptedRunOptions = {},
): Promise<ScriptedRun> {
  const requests: ProviderRequest[] = [];
  const model = recording(scriptedProvider("stub", replies), requests);
  const { plugins = [], ...rest } = options;
  const run = await runSpec(specOf(body), {
    ...rest,
    plugins: [...builtIn, packageOf([model, ...plugins])],
  });
  return { ...run, requests };
}

/** The packages that the command brings, without their wire providers. */
export const builtIn: readonly PluginPackage[] = [strategies, tools, checks, sinks, memories];

/** A spec of its own name and task, with the model `stub/model` unless the body names one. */
export function specOf(body: string): string {
  const model = /^model:/m.test(body) ? "" : "model: stub/model\n";
  const task = /^task:/m.test(body) ? "" : "task: Find out how much is in stock.\n";
  return `apiVersion: loopwright/v1\nname: promise\n${task}${model}${body}`;
}

/** A plugin package that provides definitions given in code. */
export function packageOf(
  definitions: readonly PluginDefinition[],
  name = "test-plugins",
): PluginPackage {
  const entries = definitions.map((definition) => ({
    kind: definition.kind,
    id: definition.id,
    load: async () => definition as never,
  }));
  return { name, entries };
}

/** A tool that takes an optional `item` and does what `act` says. */
export function toolOf(
  id: string,
  act: (item: string, signal: AbortSignal) => unknown,
  effect: Effect = "read",
): ToolDefinition {
  return defineTool({
    id,
    description: `The tool ${id}.`,
    options: Type.Object({}),
    input: Type.Object({ item: Type.Optional(Type.String()) }),
    effect,
    create: () => async (input, call) => act(input.item ?? "", call.signal),
  });
}

/** A model's wish to call one tool for each item. */
export function calling(tool: string, ...items: readonly string[]): ScriptedReply {
  return { calls: items.map((item) => ({ name: tool, arguments: { item } })) };
}

function recording(
  provider: ReturnType<typeof scriptedProvider>,
  requests: ProviderRequest[],
): ReturnType<typeof scriptedProvider> {
  return {
    ...provider,
    create: (options, services) => {
      const inner = provider.create(options, services);
      return {
        ...inner,
        generate: (request, call) => {
          requests.push(request);
          return inner.generate(request, call);
        },
      };
    },
  };
}
