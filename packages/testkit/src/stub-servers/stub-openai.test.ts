import { afterEach, expect, it } from "vitest";
import { type StubOpenAi, stubOpenAi } from "./stub-openai.ts";

let server: StubOpenAi | undefined;
afterEach(() => server?.close());

const post = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });

it("answers whole or streamed as the request asks, and keeps the requests", async () => {
  server = await stubOpenAi({
    replies: (request, index) => ({ text: `${index} ${String(request.body["model"])}` }),
  });
  const whole = (await (await post(server.url, { model: "a" })).json()) as {
    choices: [{ message: { content: string } }];
  };
  expect(whole.choices[0].message.content).toBe("0 a");
  const stream = await (await post(server.url, { model: "b", stream: true })).text();
  expect(stream).toMatch(/^data: \{.*\n\ndata: \[DONE\]\n\n$/s);
  expect(server.requests).toEqual([{ model: "a" }, { model: "b", stream: true }]);
});

it("gives status, headers and body as told", async () => {
  server = await stubOpenAi({
    replies: () => ({ status: 418, headers: { "x-a": "b" }, body: "tea" }),
  });
  const response = await post(server.url, {});
  expect([response.status, response.headers.get("x-a"), await response.text()]).toEqual([
    418,
    "b",
    "tea",
  ]);
});

it("answers 500 when the test's function throws", async () => {
  server = await stubOpenAi({
    replies: () => {
      throw new Error("unexpected request");
    },
  });
  expect(await (await post(server.url, {})).json()).toEqual({
    error: { message: "unexpected request" },
  });
});

it("closes connections that hang", async () => {
  server = await stubOpenAi({ replies: () => ({ text: "a b", hangAfter: 1 }) });
  const body = (await post(server.url, { stream: true })).text();
  const ending = body.then(
    () => "whole",
    () => "cut",
  );
  await server.close();
  expect(await ending).toBe("cut");
  expect(server.openReplyCount()).toBe(0);
});
