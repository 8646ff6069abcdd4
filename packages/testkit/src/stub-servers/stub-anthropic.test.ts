import { afterEach, expect, it } from "vitest";
import { type StubAnthropic, stubAnthropic } from "./stub-anthropic.ts";

let server: StubAnthropic | undefined;
afterEach(() => server?.close());

const post = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/v1/messages`, { method: "POST", body: JSON.stringify(body) });

it("answers whole or streamed as the request asks, and keeps the requests", async () => {
  server = await stubAnthropic({
    replies: (request, index) => ({ text: `${index} ${String(request.body["model"])}` }),
  });
  expect(await (await post(server.url, { model: "a" })).json()).toMatchObject({
    content: [{ type: "text", text: "0 a" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 10, output_tokens: 5 },
  });
  const stream = await (await post(server.url, { model: "b", stream: true })).text();
  expect(stream.match(/^event: .*/gm)).toEqual(
    [
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ].map((name) => `event: ${name}`),
  );
  expect(server.requests).toEqual([{ model: "a" }, { model: "b", stream: true }]);
  expect(server.received.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/messages"]);
});

it("gives errors in the protocol's form, and those of the test's function", async () => {
  server = await stubAnthropic({
    replies: (_request, index) => {
      if (index > 0) throw new Error("unexpected request");
      return { status: 529, text: "Overloaded", finishReason: "overloaded_error" };
    },
  });
  const first = await post(server.url, {});
  expect([first.status, await first.json()]).toEqual([
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  ]);
  const second = await post(server.url, {});
  expect([second.status, await second.json()]).toEqual([
    500,
    { type: "error", error: { type: "api_error", message: "unexpected request" } },
  ]);
});

it("closes connections that hang", async () => {
  server = await stubAnthropic({ replies: () => ({ text: "a b", hangAfter: 1 }) });
  const ending = (await post(server.url, { stream: true })).text().then(
    () => "whole",
    () => "cut",
  );
  await server.close();
  expect(await ending).toBe("cut");
  expect(server.openReplyCount()).toBe(0);
});
