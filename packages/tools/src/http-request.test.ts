import { type JsonSchema, type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { httpRequest } from "./http-request.ts";

const call: ToolContext = toolContext({ idempotencyKey: "run-1/straße/0" });

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function setUp(options: Record<string, unknown>, ...replies: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
    sent.push({ url: url.href, init });
    const reply = replies[sent.length - 1];
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error("no reply is left");
    return reply;
  };
  const defaults = {
    method: "POST",
    idempotencyHeader: "Idempotency-Key",
    maxBytes: 1_000,
    allowPrivate: false,
  };
  const run = httpRequest.create(
    { ...defaults, ...options } as never,
    { fetch } as never,
  ) as ToolFunction<unknown, Promise<unknown>>;
  return { sent, send: async (input: unknown = {}) => run(input, call) };
}

const schemaOf = (options: unknown) =>
  (httpRequest.input as (options: unknown) => JsonSchema)(options);
const problemsOf = (options: unknown) =>
  (httpRequest.validate as (options: unknown) => readonly { message: string }[])(options);
const idInput = { type: "object", properties: { id: { type: "string" }, to: { type: "string" } } };

describe("http-request", () => {
  it("acts once, so that a person is asked unless the spec says otherwise", () => {
    expect(httpRequest.effect).toBe("once");
  });

  it("sends declared arguments as JSON, those with a place in the address there, and the key of the call", async () => {
    const { sent, send } = setUp(
      {
        url: "https://api.example.com/orders/{id}/address?notify=1",
        method: "PUT",
        headers: { Authorization: "t" },
        input: idInput,
      },
      Response.json({ ok: true }),
    );
    expect(await send({ id: "A/1 ?", to: "Köln" })).toEqual({ ok: true });
    expect(sent).toMatchObject([
      {
        url: "https://api.example.com/orders/A%2F1%20%3F/address?notify=1",
        init: {
          method: "PUT",
          body: '{"to":"Köln"}',
          redirect: "manual",
          headers: {
            Authorization: "t",
            "Content-Type": "application/json",
            "Idempotency-Key": "run-1/stra%C3%9Fe/0",
          },
        },
      },
    ]);
  });

  it("sends nothing but the address where every argument stands in it, under another name of the key", async () => {
    const { sent, send } = setUp(
      {
        url: "https://api.example.com/orders/{id}",
        method: "DELETE",
        input: { type: "object", properties: { id: { type: "string" } } },
        idempotencyHeader: "X-Request-Id",
      },
      new Response(null, { status: 204 }),
    );
    expect(await send({ id: "7" })).toBe("[status 204, an empty reply]");
    expect(sent[0]?.init.body).toBeUndefined();
    expect(sent[0]?.init.headers).toEqual({ "X-Request-Id": "run-1/stra%C3%9Fe/0" });
  });

  it("lets the model write the body where no arguments are declared", async () => {
    const { sent, send } = setUp({ url: "https://a.example/" }, Response.json(1), Response.json(2));
    expect(await send({ body: '{"a":1}' })).toBe(1);
    expect(await send({})).toBe(2);
    expect(sent.map(({ init }) => init.body)).toEqual(['{"a":1}', undefined]);
    await expect(send({ body: "{a" })).rejects.toMatchObject({ code: "tool-arguments-invalid" });
    expect(schemaOf({ url: "https://a.example/" })).toMatchObject({ required: [] });
    expect(schemaOf({ url: "https://a.example/", input: idInput })).toBe(idInput);
  });

  it("sends text as it is where the spec names its content type", async () => {
    const headers = { "content-type": "text/plain" };
    const { sent, send } = setUp({ url: "https://a.example/", headers }, Response.json(1));
    await send({ body: "not json" });
    expect(sent[0]?.init).toMatchObject({ body: "not json", headers });
    expect(sent[0]?.init.headers).not.toHaveProperty("Content-Type");
  });

  it("goes where the model says, among the allowed hosts alone, and to public addresses", async () => {
    const { sent, send } = setUp({ allow: ["93.184.216.34", "127.0.0.1"] }, Response.json(1));
    expect(await send({ url: "https://93.184.216.34/x", body: "{}" })).toBe(1);
    await expect(send({ url: "https://8.8.8.8/" })).rejects.toThrow(
      /8\.8\.8\.8 is not open to you; the hosts that are: 93\.184\.216\.34, 127/,
    );
    await expect(send({ url: "http://127.0.0.1/" })).rejects.toThrow(/private or local/);
    await expect(send({ url: "ftp://93.184.216.34/" })).rejects.toMatchObject({
      code: "tool-arguments-invalid",
    });
    expect(sent).toHaveLength(1);
  });

  it("follows no redirect, and names its target", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const reply = new Response(null, { status, headers: { location: "https://a.example/y" } });
      const { sent, send } = setUp({ url: "https://a.example/x" }, reply, Response.json(1));
      await expect(send()).rejects.toThrow(/redirects to https:\/\/a\.example, and a POST is sent/);
      expect(sent).toHaveLength(1);
    }
  });

  it("tells a status of 400 or above", async () => {
    const reply = new Response("the city is missing", { status: 422 });
    await expect(setUp({ url: "https://a.example/" }, reply).send()).rejects.toThrow(
      "a.example answered with status 422 with: the city is missing",
    );
  });

  it.each([
    [{}, /neither where it sends nor which hosts/],
    [{ headers: { a: "b" }, allow: ["a.example"] }, /only with a `url`/],
    [{ input: idInput, allow: ["a.example"] }, /only with a `url`/],
    [{ url: "ftp://a.example/" }, /not an http or https address/],
    [{ url: "https://a.example/{id}" }, /a place for \{id\}, which is no argument/],
    [{ url: "https://{id}.example/", input: idInput }, /the host of .* is a place/],
    [{ url: "https:/{id}/x", input: idInput }, /the host of .* is a place/],
    [{ url: "https:{id}/x", input: idInput }, /the host of .* is a place/],
    [{ url: " https://{id}/", input: idInput }, /the host of .* is a place/],
    [{ url: "https:\\\\{id}/", input: idInput }, /the host of .* is a place/],
    [{ url: "https://a.example:{id}/", input: idInput }, /not an http or https address/],
    [{ url: "https://a.example/", allowPrivate: true }, /`allowPrivate` opens/],
    [{ allow: ["https://a.example"] }, /`allow` names hosts/],
  ])("refuses a spec that says %j", (options, message) => {
    expect(problemsOf(options).map((problem) => problem.message)).toEqual([
      expect.stringMatching(message),
    ]);
    expect(() => setUp(options)).toThrow(message);
  });
});
