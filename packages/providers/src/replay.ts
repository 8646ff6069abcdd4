import {
  type Delta,
  defineProvider,
  type Provider,
  type ProviderDefinition,
  ProviderError,
  type ProviderReply,
  path,
  Type,
} from "@loopwright/core/plugin";
import { inspectRecording, loadRecording } from "./replay/load-recording.ts";
import { type RecordedCall, takeCall } from "./replay/recording.ts";
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
  describe: () => ({ keys: [] }),
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
  if (call.fault !== undefined) {
    const { code, message, retryable } = call.fault;
    throw new ProviderError(code, message, { retryable, details: { replayed: true } });
  }
  for (const delta of call.deltas) onDelta?.(delta);
  return call.reply;
}
