import { afterEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import type { StubReply } from "../stub-servers/stub-reply.ts";
import type { TestClock } from "../test-clock.ts";
import { callTimes, type EndpointApp, openEndpointApp } from "./endpoint-app.ts";

// mastra#19885 and openai-agents-js#927: 429 with Retry-After, and many agents that share an account.

const DIRECT = "strategy: direct";
const hello: StubReply = { text: "hello" };

let app: EndpointApp;
afterEach(() => app.close());

const open = async (
  replies: readonly StubReply[] | ((index: number, clock: TestClock) => StubReply),
): Promise<EndpointApp> => (app = await openEndpointApp(replies));

describe("an endpoint that asks to wait", () => {
  it.each([
    ["in seconds", () => "7"],
    ["as a date", (clock: TestClock) => new Date(clock.now() + 7_000).toUTCString()],
  ])("%s is waited for at least so long", async (_form, retryAfter) => {
    const { server, run } = await open((index, clock) =>
      index === 0 ? { status: 429, headers: { "retry-after": retryAfter(clock) } } : hello,
    );
    const { outcome, events } = await run("retry: 3", DIRECT);
    expect(await outcome).toMatchObject({ outcome: "done", answer: { text: "hello" } });
    const [first, second] = callTimes(events);
    expect((second?.[0] ?? 0) - (first?.[1] ?? 0)).toBe(7_000);
    expect(server.requests).toHaveLength(2);
    expect(unbalanced(events)).toEqual([]);
  });

  it("longer than `retry.max` is told and not waited for", async () => {
    const { server, run, clock } = await open([
      { status: 429, headers: { "retry-after": "3600" } },
    ]);
    const { outcome } = await run("retry: 3", DIRECT);
    const { fault } = await outcome;
    expect(fault?.message).toMatch(/asks to wait 1h, longer than the 1m of `retry.max`/u);
    expect(server.requests).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  it("holds back every other agent of the account", async () => {
    const { server, run } = await open((index) =>
      index === 0 ? { status: 429, headers: { "retry-after": "5" } } : hello,
    );
    const first = await run("retry: 2", DIRECT, "first");
    const startedAt = first.events[0]?.time ?? 0;
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    while (!first.events.some(({ name }) => name === "model-call.end"))
      await new Promise((resolve) => setImmediate(resolve));
    const second = await run("retry: 2", DIRECT, "second");
    await Promise.all([first.outcome, second.outcome]);
    for (const { events } of [first, second])
      expect(callTimes(events).at(-1)?.[0]).toBeGreaterThanOrEqual(startedAt + 5_000);
    expect(server.requests).toHaveLength(3);
  });
});

describe("ten agents of one account", () => {
  it("send no more in any time than the tightest of their rates allows", async () => {
    const { server, run } = await open([hello]);
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        run(index === 0 ? "rateLimit: 2/1s" : "rateLimit: 50/1s", DIRECT, `agent-${index}`),
      ),
    );
    const outcomes = await Promise.all(agents.map(({ outcome }) => outcome));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(agents.map(() => "done"));
    const times = agents
      .flatMap(({ events }) => callTimes(events).map(([at]) => at))
      .toSorted((a, b) => a - b);
    expect(times).toHaveLength(10);
    for (const at of times)
      expect(times.filter((other) => other >= at && other < at + 1_000).length).toBeLessThanOrEqual(
        2,
      );
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(4_000);
    expect(server.requests).toHaveLength(10);
  });

  it("are never more at one time than they may be", async () => {
    let underWay = 0;
    let most = 0;
    const { run, server } = await open(() => {
      most = Math.max(most, server.openReplyCount());
      underWay += 1;
      return { ...hello, delayMs: 15 };
    });
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, index) => run("maxParallel: 3", DIRECT, `agent-${index}`)),
    );
    await Promise.all(agents.map(({ outcome }) => outcome));
    expect(underWay).toBe(10);
    expect(most).toBe(3);
  });
});

describe("a call that fails", () => {
  it("is not made again after the first piece of its reply", async () => {
    const { server, run } = await open([{ text: "hello there", pieceDelayMs: 10, closeAfter: 3 }]);
    const { outcome, events } = await run("retry: 5", DIRECT);
    expect(await outcome).toMatchObject({ outcome: "failed" });
    expect(server.requests).toHaveLength(1);
    expect(events.filter(({ name }) => name === "call.retried")).toEqual([]);
  });

  it("is made as often as the spec says, by nobody else", async () => {
    const { server, run } = await open([{ status: 503 }]);
    expect(await (await run("retry: 1", DIRECT)).outcome).toMatchObject({ outcome: "failed" });
    expect(server.requests).toHaveLength(1);
    const { outcome, events } = await run("retry: { attempts: 4, first: 2s, max: 3s }", DIRECT);
    const { spending } = await outcome;
    expect(server.requests).toHaveLength(5);
    expect(spending.modelCalls).toBe(4);
    const told = events.flatMap((event) => (event.name === "call.retried" ? [event.data] : []));
    expect(told.map(({ attempt, attempts }) => [attempt, attempts])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
    for (const { waitMs } of told) expect(waitMs).toBeGreaterThanOrEqual(1_000);
    for (const { waitMs } of told) expect(waitMs).toBeLessThanOrEqual(3_000);
  });

  it("is not made again where the endpoint refuses the request itself", async () => {
    const { server, run } = await open([{ status: 400, text: "no such option" }]);
    const { outcome } = await run("retry: 5", DIRECT);
    expect(await outcome).toMatchObject({ fault: { code: "provider-rejected" } });
    expect(server.requests).toHaveLength(1);
  });
});
