import {
  type App,
  Clock,
  createApp,
  provide,
  type Run,
  type RunEvent,
  type RunOutcome,
} from "@loopwright/core";
import { providers } from "@loopwright/providers";
import { builtIn } from "../promises/run-scripted.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import type { StubReply } from "../stub-servers/stub-reply.ts";
import { type TestClock, testClock } from "../test-clock.ts";

/** An app whose models are asked at one stub endpoint, and whose time stands still except for waits that are told. */
export interface EndpointApp {
  readonly clock: TestClock;
  readonly server: StubOpenAi;
  /** Runs an agent; `model` is what its map says beside `use` and `baseUrl`, `rest` what follows the model. */
  readonly run: (model: string, rest: string, name?: string) => Promise<EndpointRun>;
  readonly close: () => Promise<void>;
}

/** A run that goes on, and what it has told. */
export interface EndpointRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly outcome: Promise<RunOutcome>;
}

/** Opens the app and its endpoint, which answers one reply after the other, the last one again and again. */
export async function openEndpointApp(
  replies: readonly StubReply[] | ((index: number, clock: TestClock) => StubReply),
  root?: string,
): Promise<EndpointApp> {
  const clock = testClock();
  const replyTo = (index: number): StubReply =>
    typeof replies === "function"
      ? replies(index, clock)
      : (replies[Math.min(index, replies.length - 1)] ?? {});
  const server = await stubOpenAi({ replies: (_request, index) => replyTo(index) });
  const app: App = await createApp({
    plugins: [...builtIn, providers],
    services: [provide(Clock, clock)],
    discovery: false,
    env: {},
    ...(root === undefined ? {} : { root }),
  });
  const passTime = timeKeeper(clock);
  return {
    clock,
    server,
    run: async (model, rest, name = "agent") => {
      const program = await app.compile({ text: specOf({ model, rest, name, url: server.url }) });
      const run = app.start(program);
      const events: RunEvent[] = [];
      run.on("*", (event) => {
        events.push(event);
        passTime(event);
      });
      return { run, events, outcome: run.outcome };
    },
    close: async () => {
      await app.close();
      await server.close();
    },
  };
}

function specOf(said: { name: string; model: string; rest: string; url: string }): string {
  const { name, model, rest, url } = said;
  return `apiVersion: loopwright/v1
name: ${name}
task: Say hello.
model: { use: vllm/stub, baseUrl: "${url}", ${model} }
${rest}
`;
}

/** Lets the time of each wait pass as soon as it is told; nothing else moves the clock. */
export function timeKeeper(clock: TestClock): (event: RunEvent) => void {
  let until = clock.now();
  let isMoving = false;
  const move = async (): Promise<void> => {
    while (clock.now() < until) await clock.advance(until - clock.now());
    isMoving = false;
  };
  return (event) => {
    if (event.name !== "call.retried" && event.name !== "call.delayed") return;
    until = Math.max(until, event.time + event.data.waitMs);
    if (isMoving) return;
    isMoving = true;
    // The wait begins after it is told.
    setImmediate(() => void move());
  };
}

/** When each call went out and ended, by the clock. */
export function callTimes(events: readonly RunEvent[]): readonly (readonly [number, number])[] {
  const ends = events.filter(({ name }) => name === "model-call.end");
  return events
    .filter(({ name }) => name === "model-call.start")
    .map(({ time, spanId }) => [time, ends.find((end) => end.spanId === spanId)?.time ?? NaN]);
}
