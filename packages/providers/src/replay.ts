import {
  type Delta,
  defineProvider,
  type Provider,
  type ProviderDefinition,
  ProviderError,
  type ProviderReply,
  path,
  Type,
  type Usage,
} from "@loopwright/core/plugin";
import { inspectRecording, loadRecording } from "./replay/load-recording.ts";
import { type RecordedCall, type RecordedFault, takeCall } from "./replay/recording.ts";
import { once } from "./shared/once.ts";
import { PerRun } from "./shared/per-run.ts";

const options = Type.Object({
  file: path({
    description: "The event log of one run: JSON Lines, gzip or plain.",
    exists: true,
  }),
});

/** Serves the replies of a recorded run, faults included; choose it to repeat a run without a model. */
export const replay: ProviderDefinition = defineProvider({
  id: "replay",
  free: ["replay"],
  description: "Serves a recorded run from its event log; no model, no network, no cost.",
  options,
  describe: () => ({ keys: [], structured: "json-schema" }),
  inspect: ({ file }) => inspectRecording(file),
  create: ({ file }): Provider => {
    const load = once(() => loadRecording(file));
    const runs = new PerRun<Set<RecordedCall>>(() => new Set());
    return {
      async generate(request, { signal, onDelta }) {
        signal.throwIfAborted();
        const recording = await load();
        signal.throwIfAborted();
        return toReply(takeCall(recording, request, runs.of(request.runId)), onDelta);
      },
      capabilities: () => ({
        tools: true,
        structured: "json-schema",
        price: { input: 0, output: 0 },
      }),
    };
  },
});

function toReply(call: RecordedCall, onDelta: ((delta: Delta) => void) | undefined): ProviderReply {
  for (const delta of call.deltas) onDelta?.(delta);
  if (call.fault !== undefined) throw toError(call.fault);
  return call.reply;
}

/** The recorded fault; core tries the call again as often as the recorded run did, without the waits. */
function toError({
  code,
  message,
  retried,
  lacks,
  serverMessage,
  usage,
}: RecordedFault): ProviderError {
  return new ProviderError(code, message, {
    retryable: retried !== undefined,
    details: {
      replayed: true,
      ...retried,
      ...(lacks === undefined ? {} : { lacks }),
      ...(serverMessage === undefined ? {} : { serverMessage }),
      ...(tokensIn(usage) === 0 ? {} : { usage }),
    },
  });
}

function tokensIn(usage: Usage): number {
  return Object.values(usage).reduce<number>((sum, count) => sum + Number(count), 0);
}
