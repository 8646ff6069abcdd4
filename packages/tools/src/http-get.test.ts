import { type JsonSchema, type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { httpGet } from "./http-get.ts";

const call: ToolContext = toolContext();

interface Sent {
  readonly url: string;
  readonly init: RequestInit | undefined;
}

function setUp(options: Record<string, unknown>, ...replies: (Response | Error)[]) {
  const sent: Sent[] = [];
  const fetch = async (url: URL, init?: RequestInit): Promise<Response> => {
    sent.push({ url: url.href, init });
    const reply = replies[sent.length - 1];
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error("no reply is left");
    return reply;
  };
  const run = httpGet.create(
    { maxBytes: 200_000, raw: false, allowPrivate: false, ...options } as never,
    { fetch } as never,
  ) as ToolFunction<unknown, Promise<unknown>>;
  return { sent, get: async (input: unknown = {}) => run(input, call) };
}

const json = (value: unknown, init: ResponseInit = {}) => Response.json(value, init);
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });
const schemaOf = (options: unknown) => (httpGet.input as (options: unknown) => JsonSchema)(options);

describe("http-get", () => {
  it("sends arguments as query parameters, lists repeated, and its headers", async () => {
    const { sent, get } = setUp(
      { url: "https://api.example.com/w?unit=c&day=1", headers: { "X-Token": "t" } },
      json({ ok: true }),
    );
    expect(
      await get({ city: "São Paulo", tags: ["a", "b"], n: 2, on: true, none: null, day: "2" }),
    ).toStrictEqual({ ok: true });
    expect(sent[0]?.url).toBe(
      "https://api.example.com/w?unit=c&city=S%C3%A3o+Paulo&tags=a&tags=b&n=2&on=true&day=2",
    );
    expect(sent[0]?.init).toMatchObject({
      method: "GET",
      headers: { "X-Token": "t" },
      redirect: "manual",
      signal: call.signal,
    });
  });

  it("takes no arguments unless the spec declares them", () => {
    const input = { type: "object", properties: { city: { type: "string" } } };
    expect(schemaOf({ url: "https://a.example" })).toMatchObject({
      properties: {},
      additionalProperties: false,
    });
    expect(schemaOf({ url: "https://a.example", input })).toBe(input);
    expect(schemaOf({})).toMatchObject({ required: ["url"] });
  });

  it("returns text as text, in the charset that the server names", async () => {
    const latin = new Response(Uint8Array.of(0xe9), {
      headers: { "content-type": "text/plain; charset=ISO-8859-1" },
    });
    expect(await setUp({ url: "https://a.example" }, latin).get()).toBe("é");
  });

  it("cuts long text with a note, and refuses long or broken JSON and binary replies", async () => {
    const options = { url: "https://a.example", maxBytes: 4 };
    expect(await setUp(options, new Response("abcdef")).get()).toBe(
      "abcd\n[cut: the reply is longer than 4 bytes]",
    );
    expect(await setUp(options, new Response("abcd")).get()).toBe("abcd");
    await expect(setUp(options, json("abcdef")).get()).rejects.toThrow(/longer than 4 bytes/);
    await expect(
      setUp(
        { url: "https://a.example" },
        new Response("{", { headers: { "content-type": "application/json" } }),
      ).get(),
    ).rejects.toThrow(/not readable/);
    await expect(
      setUp(options, new Response("x", { headers: { "content-type": "image/png" } })).get(),
    ).rejects.toThrow(/binary/);
  });

  it("tells a status of 400 or above with the first 300 characters", async () => {
    const { get } = setUp(
      { url: "https://a.example" },
      new Response("x".repeat(900), { status: 404 }),
      new Response(null, { status: 503 }),
    );
    await expect(get()).rejects.toThrow(
      new RegExp(`^a\\.example answered with status 404 with: x{300}$`),
    );
    await expect(get()).rejects.toMatchObject({
      family: "ToolError",
      retryable: true,
      details: { status: 503 },
    });
  });

  it("follows redirects within the host and no further", async () => {
    const { sent, get } = setUp(
      { url: "http://a.example/x" },
      redirect("https://a.example/y"),
      redirect("/z"),
      json(1),
    );
    expect(await get()).toBe(1);
    expect(sent.map(({ url }) => url)).toStrictEqual([
      "http://a.example/x",
      "https://a.example/y",
      "https://a.example/z",
    ]);
    await expect(
      setUp({ url: "https://a.example" }, redirect("https://b.example/")).get(),
    ).rejects.toThrow(/https:\/\/b\.example, another host/);
    await expect(
      setUp({ url: "https://a.example" }, redirect("http://a.example/")).get(),
    ).rejects.toThrow(/leaving https; it is not followed/);
    await expect(
      setUp({ url: "https://a.example" }, ...Array.from({ length: 9 }, () => redirect("/"))).get(),
    ).rejects.toThrow(/more than 5 times/);
  });

  it("says why a host can't be reached, and lets an abort through", async () => {
    const fault = new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
    await expect(setUp({ url: "https://a.example" }, fault).get()).rejects.toThrow(
      "a.example can't be reached: ECONNREFUSED",
    );

    const aborted = AbortSignal.abort(new Error("the run ended"));
    const run = httpGet.create(
      { url: "https://a.example", maxBytes: 9 } as never,
      { fetch: async () => Promise.reject(new Error("stopped")) } as never,
    ) as ToolFunction<unknown, Promise<unknown>>;
    await expect(run({}, { ...call, signal: aborted })).rejects.toThrow("the run ended");
  });

  it("reads a local address that the spec itself names", async () => {
    expect(await setUp({ url: "http://127.0.0.1:8080/x" }, json(2)).get()).toBe(2);
  });

  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://169.254.169.254/latest",
    "http://localhost:3000/",
    "http://intranet/",
    "http://db.internal/",
    "http://192.168.1.1/",
  ])("refuses %s when the model gives it", async (url) => {
    await expect(setUp({}, json(1)).get({ url })).rejects.toThrow(/private or local/);
  });

  it("reads a public address that the model gives", async () => {
    expect(await setUp({}, json(3)).get({ url: "https://93.184.216.34/" })).toBe(3);
    await expect(setUp({}).get({ url: "file:///etc/passwd" })).rejects.toMatchObject({
      code: "tool-arguments-invalid",
    });
  });

  it("goes to allowed hosts alone, private ones only where the spec says so", async () => {
    const { sent, get } = setUp({ allow: ["93.184.216.34", "127.0.0.1:8080"] }, json(4));
    expect(await get({ url: "https://93.184.216.34/" })).toBe(4);
    await expect(get({ url: "https://8.8.8.8/" })).rejects.toThrow(/not open to you; the hosts/);
    await expect(get({ url: "https://93.184.216.34:444/" })).rejects.toThrow(/not open to you/);
    await expect(get({ url: "http://127.0.0.1:8080/" })).rejects.toThrow(/private or local/);
    expect(sent).toHaveLength(1);

    const local = setUp({ allow: ["127.0.0.1:8080"], allowPrivate: true }, json(5));
    expect(await local.get({ url: "http://127.0.0.1:8080/" })).toBe(5);
  });

  it("follows a redirect to an allowed host without its headers, and to no other", async () => {
    const options = {
      url: "https://a.example/x",
      allow: ["93.184.216.34"],
      headers: { "X-Token": "t" },
    };
    const { sent, get } = setUp(
      options,
      redirect("https://93.184.216.34/y"),
      redirect("/z"),
      json(6),
      redirect("https://8.8.8.8/"),
      redirect("https://me:pw@93.184.216.34/"),
      redirect("file:///etc/passwd"),
    );
    expect(await get()).toBe(6);
    expect(sent.map(({ init }) => init?.headers)).toEqual([{ "X-Token": "t" }, {}, {}]);
    await expect(get()).rejects.toThrow(/https:\/\/8\.8\.8\.8, another host; it is not followed/);
    await expect(get()).rejects.toThrow(/with a user name; it is not followed/);
    await expect(get()).rejects.toThrow(/no web address; it is not followed/);
  });

  it("puts arguments into the places of its address, each within its place", async () => {
    const input = {
      type: "object",
      properties: { id: { type: "string" }, full: { type: "boolean" } },
    };
    const { sent, get } = setUp({ url: "https://a.example/o/{id}?v=1", input }, json(7));
    expect(await get({ id: "../x?y#z", full: true })).toBe(7);
    expect(sent[0]?.url).toBe("https://a.example/o/..%2Fx%3Fy%23z?v=1&full=true");
    await expect(get({ id: ".." })).rejects.toMatchObject({ code: "tool-arguments-invalid" });
    await expect(get({ id: "" })).rejects.toThrow(/part of the address/);
    await expect(get({ id: "a\ud83d" })).rejects.toMatchObject({
      code: "tool-arguments-invalid",
      message: expect.stringMatching(/^`id` holds half a character/),
    });
    expect(() => setUp({ url: "https://a.example/{no}" })).toThrow(/\{no\}, which is no argument/);
  });

  it("makes readable text of a web page, or leaves it as it is", async () => {
    const page = () =>
      new Response("<h1>A</h1><script>x</script><p>b <a href='https://c.example/'>c</a></p>", {
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    const url = "https://a.example";
    expect(await setUp({ url }, page()).get()).toBe("# A\n\nb c (https://c.example/)");
    expect(await setUp({ url, raw: true }, page()).get()).toContain("<script>");
    expect(await setUp({ url, maxBytes: 5 }, page()).get()).toBe(
      "# A\n\n[cut: the reply is longer than 5 bytes]".replace("\n\n[", "\n\n\n["),
    );
  });

  it("refuses a spec that can't work or would leak", () => {
    expect(() => setUp({ url: "ftp://a.example" })).toThrow(/not an http or https address/);
    expect(() => setUp({ url: "https://me:pw@a.example" })).toThrow(/user name/);
    expect(() => setUp({ headers: { a: "b" } })).toThrow(/only with a `url`/);
  });
});
