import { type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { webSearch } from "./web-search.ts";

const call: ToolContext = toolContext();

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function setUp(options: Record<string, unknown>, ...replies: readonly unknown[]) {
  const sent: Sent[] = [];
  const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
    sent.push({ url: url.href, init });
    const reply = replies[sent.length - 1];
    return reply instanceof Response ? reply : Response.json(reply);
  };
  const defaults = {
    url: "https://search.example.com/search?format=json",
    method: "GET",
    queryName: "q",
    results: "results",
    title: "title",
    address: "url",
    snippet: "content",
    maxResults: 2,
  };
  const run = webSearch.create(
    { ...defaults, ...options } as never,
    { fetch } as never,
  ) as ToolFunction<unknown, Promise<string>>;
  return { sent, search: async (query: string) => run({ query }, call) };
}

const hit = (at: number) => ({
  title: `Title ${at}`,
  url: `https://a.example/${at}`,
  content: `About\n<b>${at}</b> &amp; more`,
});

describe("web-search", () => {
  it("asks an endpoint of the usual form and returns a numbered list, no longer than asked for", async () => {
    const { sent, search } = setUp(
      { headers: { "X-Key": "k" } },
      { results: [hit(1), {}, hit(2), hit(3)] },
    );
    expect(await search("Köln & co")).toBe(
      [
        "1. Title 1",
        "   https://a.example/1",
        "   About 1 & more",
        "2. Title 2",
        "   https://a.example/2",
        "   About 2 & more",
      ].join("\n"),
    );
    expect(sent).toMatchObject([
      {
        url: "https://search.example.com/search?format=json&q=K%C3%B6ln+%26+co",
        init: { method: "GET", headers: { "X-Key": "k", Accept: "application/json" } },
      },
    ]);
  });

  it("finds lists and fields wherever the spec says that they lie, and posts where asked", async () => {
    const { sent, search } = setUp(
      {
        url: "https://search.example.com/v1",
        method: "POST",
        queryName: "query",
        results: "data.web",
        title: "meta.name",
        address: "link",
        snippet: "text",
      },
      { data: { web: [{ meta: { name: "N" }, link: "https://a.example/", text: "T" }] } },
    );
    expect(await search("words")).toBe("1. N\n   https://a.example/\n   T");
    expect(sent).toMatchObject([
      {
        url: "https://search.example.com/v1",
        init: {
          method: "POST",
          body: '{"query":"words"}',
          headers: { "Content-Type": "application/json" },
        },
      },
    ]);
  });

  it("puts the words into a place of the address", async () => {
    const { sent, search } = setUp({ url: "https://s.example/find/{query}" }, { results: [] });
    expect(await search("a/b")).toBe("no result");
    expect(sent[0]?.url).toBe("https://s.example/find/a%2Fb");
  });

  it("cuts long fields, and takes what is no text as missing", async () => {
    const long = { title: "t".repeat(300), url: 7, content: { deep: true } };
    expect(await setUp({}, { results: [long, "odd", null] }).search("x")).toBe(
      `1. ${"t".repeat(200)}…\n   7`,
    );
  });

  it.each([{ items: [] }, { results: "none" }, null, "text"])(
    "says where to look when the reply holds no list: %j",
    async (reply) => {
      await expect(setUp({}, reply).search("x")).rejects.toThrow(
        /without a list at `results`; say in the spec's `results`/,
      );
    },
  );

  it("takes no inherited field for a list", async () => {
    await expect(setUp({ results: "constructor" }, {}).search("x")).rejects.toThrow(
      /without a list/,
    );
  });

  it("tells what the endpoint refuses, and stays within it", async () => {
    await expect(setUp({}, new Response("no key", { status: 401 })).search("x")).rejects.toThrow(
      "search.example.com answered with status 401 with: no key",
    );
    const away = new Response(null, { status: 302, headers: { location: "https://b.example/" } });
    await expect(setUp({}, away).search("x")).rejects.toThrow(/another host; it is not followed/);
    await expect(setUp({}).search("  ")).rejects.toMatchObject({ code: "tool-arguments-invalid" });
  });

  it("waits three seconds unless the spec says otherwise", () => {
    expect(webSearch.policy?.timeoutMs).toBe(3_000);
  });

  it("is refused without an endpoint, with what to write", () => {
    const problems = webSearch.validate?.({} as never) ?? [];
    expect(problems).toMatchObject([
      {
        message: expect.stringContaining("needs the `url` of an endpoint"),
        repair: expect.stringContaining("web-search: { url: "),
      },
    ]);
    expect(webSearch.validate?.({ url: "https://s.example/{words}" } as never)).toHaveLength(1);
    expect(() => setUp({ url: undefined })).toThrow(/needs the `url`/);
  });
});
