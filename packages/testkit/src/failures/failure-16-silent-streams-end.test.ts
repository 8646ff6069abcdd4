import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { type EndpointApp, type EndpointRun, openEndpointApp } from "./endpoint-app.ts";

// pi#8331, opencode#37580, qwen-code#5143: some chunks, then only keep-alive comments.

let app: EndpointApp;
afterEach(() => app.close());

/** Waits in real time until a condition holds: what comes over the wire is not on the clock. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isTrue(); turn++) await sleep(2);
  expect(isTrue()).toBe(true);
}

const deltasOf = ({ events }: EndpointRun): number =>
  events.filter(({ name }) => name === "model-call.delta").length;

it("ends a stream that is kept alive and says nothing, by default and without a second try", async () => {
  app = await openEndpointApp([{ text: "one two three", hangAfter: 3, keepAliveMs: 5 }]);
  const silent = await app.run("retry: 3", "strategy: direct");
  await until(() => deltasOf(silent) > 0);
  await sleep(30);
  await app.clock.advance(59_000);
  expect(silent.events.at(-1)?.name).toBe("model-call.delta");
  await sleep(30);
  await app.clock.advance(1_500);
  const { outcome, fault } = await silent.outcome;
  expect(outcome).toBe("failed");
  expect(fault).toMatchObject({ code: "provider-timeout", message: /`timeout.idle`/u });
  expect(app.server.requests).toHaveLength(1);
  expect(unbalanced(silent.events)).toEqual([]);
  expect(app.clock.timers).toBe(0);
  await until(() => app.server.openReplyCount() === 0);
});

it("tries again where nothing came at all, and tells which time ran out", async () => {
  app = await openEndpointApp([{ hangAfter: 0, keepAliveMs: 5 }, { text: "hello" }]);
  const slow = await app.run("timeout: { first: 20s }", "strategy: direct");
  await until(() => app.server.requests.length === 1);
  await app.clock.advance(20_000);
  expect(await slow.outcome).toMatchObject({ outcome: "done", answer: { text: "hello" } });
  const [retried] = slow.events.flatMap((event) =>
    event.name === "call.retried" ? [event.data] : [],
  );
  expect(retried?.fault).toMatchObject({ code: "provider-timeout", message: /`timeout.first`/u });
  expect(app.server.requests).toHaveLength(2);
  expect(app.clock.timers).toBe(0);
});

it("ends a whole reply that does not come within its time", async () => {
  app = await openEndpointApp([{ hangAfter: 0 }]);
  const slow = await app.run("stream: false, timeout: 90s, retry: 1", "strategy: direct");
  await until(() => app.server.requests.length === 1);
  await app.clock.advance(90_000);
  const { fault } = await slow.outcome;
  expect(fault?.message).toMatch(/not whole after 90s.*`timeout.total`/u);
});
