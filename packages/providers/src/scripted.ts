import {
  Clock,
  type Delta,
  defineProvider,
  type Provider,
  type ProviderDefinition,
  type ProviderReply,
  type ProviderRequest,
  path,
  Type,
} from "@loopwright/core/plugin";
import { inspectScript, loadScript } from "./scripted/load-script.ts";
import { type ScriptedReply, toReply } from "./scripted/reply.ts";
import { type Script, takeReply, type UseCounts } from "./scripted/script.ts";
import { tellInWords } from "./shared/deltas.ts";
import { once } from "./shared/once.ts";
import { PerRun } from "./shared/per-run.ts";

const options = Type.Object({
  file: path({
    description: "The script: YAML, JSON or JSON Lines, gzip or plain.",
    exists: true,
  }),
});

/** What a scripted provider says: a list, used up by each run, or a function of the request; plain text is a reply. */
export type ScriptedReplies =
  | readonly (ScriptedReply | string)[]
  | ((request: ProviderRequest) => ScriptedReply | string | Promise<ScriptedReply | string>);

/** Chooses what to say to a request. */
type Choose = (request: ProviderRequest) => Promise<ScriptedReply>;

/** Serves replies from a file without any model; choose it for tests, examples and offline demonstrations. */
export const scripted: ProviderDefinition = defineProvider({
  id: "scripted",
  free: ["scripted"],
  description: "Serves replies written in a file; no model, no network, no cost.",
  options,
  describe: () => ({ keys: [], structured: "json-schema" }),
  inspect: ({ file }) => inspectScript(file),
  inject: { clock: Clock },
  create: ({ file }, { clock }) => createScripted(fromScript(once(() => loadScript(file))), clock),
});

/** Makes a provider under an id of its own that serves replies given in code. */
export function scriptedProvider(id: string, replies: ScriptedReplies): ProviderDefinition {
  return defineProvider({
    id,
    free: [id],
    description: "Serves replies given in code; no model, no network, no cost.",
    options: Type.Object({}),
    inject: { clock: Clock },
    create: (_options, { clock }) => createScripted(toChoose(id, replies), clock),
  });
}

function createScripted(choose: Choose, clock: Clock): Provider {
  return {
    async generate(request, { signal, onDelta }): Promise<ProviderReply> {
      signal.throwIfAborted();
      const entry = await choose(request);
      signal.throwIfAborted();
      if (entry.delayMs !== undefined) await sleep(entry.delayMs, clock, signal);
      signal.throwIfAborted();
      const reply = toReply(entry, request);
      tell(reply, onDelta);
      return reply;
    },
    capabilities: () => ({
      tools: true,
      structured: "json-schema",
      price: { input: 0, output: 0 },
    }),
  };
}

function fromScript(load: () => Promise<Script>): Choose {
  const runs = new PerRun<UseCounts>(() => new Map());
  return async (request) => takeReply(await load(), request, runs.of(request.runId));
}

function toChoose(id: string, replies: ScriptedReplies): Choose {
  if (typeof replies === "function") return async (request) => toEntry(await replies(request));
  return fromScript(async () => ({ source: id, replies: replies.map(toEntry) }));
}

function toEntry(reply: ScriptedReply | string): ScriptedReply {
  return typeof reply === "string" ? { text: reply } : reply;
}

function tell(reply: ProviderReply, onDelta: ((delta: Delta) => void) | undefined): void {
  tellInWords(onDelta, "reasoning", reply.message.reasoning);
  tellInWords(onDelta, "text", reply.message.text);
}

function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
  });
}
