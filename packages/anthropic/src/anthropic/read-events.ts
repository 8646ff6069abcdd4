import type { Clock, ProviderCall, ProviderReply } from "@loopwright/core/plugin";
import { MessageParts } from "./message-parts.ts";
import type { WireEvent } from "./message-wire.ts";

/** How long a stream may take to end once its message is whole. */
const ENDING_MS = 1_000;

/** What a stream is read with. */
interface Reading {
  readonly call: ProviderCall;
  readonly clock: Pick<Clock, "after">;
  /** Ends the request. */
  readonly end: () => void;
}

/** Reads a streamed reply until its message is whole. The library passes pings over, so every event is a part of the reply. */
export async function readEvents(
  events: AsyncIterable<WireEvent>,
  { call: { signal, onActivity, onDelta }, clock, end }: Reading,
): Promise<ProviderReply> {
  const parts = new MessageParts();
  const reader = events[Symbol.asyncIterator]();
  try {
    // The library ends an aborted stream as if it were whole.
    while (!parts.isWhole && !signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- events come one after the other
      const { done, value } = await reader.next();
      if (done === true || signal.aborted) break;
      onActivity?.();
      parts.add(value, onDelta);
    }
    const reply = parts.finish();
    leave(reader, clock, end);
    return reply;
  } catch (fault) {
    end();
    throw fault;
  }
}

/** Lets a stream end by itself, so that its connection can be used again, but not for long: some servers keep it open. */
function leave(
  reader: AsyncIterator<WireEvent>,
  clock: Reading["clock"],
  end: Reading["end"],
): void {
  const cancel = clock.after(ENDING_MS, end);
  reader.next().then(
    ({ done }) => {
      cancel();
      return done === true ? undefined : end();
    },
    () => cancel(),
  );
}
