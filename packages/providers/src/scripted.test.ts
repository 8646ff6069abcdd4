import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type {
  Delta,
  FileFault,
  Provider,
  ProviderReply,
  ProviderRequest,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { createProvider, stubRequest } from "../../testkit/src/stub-servers/stub-request.ts";
import { type ScriptedReplies, scripted, scriptedProvider } from "./scripted.ts";

const signal = new AbortController().signal;

function say(provider: Provider, changes: Partial<ProviderRequest> = {}): Promise<ProviderReply> {
  return provider.generate(stubRequest(changes), { signal });
}

function inCode(replies: ScriptedReplies): Provider {
  return createProvider(scriptedProvider("test", replies));
}

async function inFile(name: string, content: string | Uint8Array): Promise<Provider> {
  const file = join(await mkdtemp(join(tmpdir(), "script-")), name);
  await writeFile(file, content);
  return createProvider(scripted, { file });
}

describe("scripted matching", () => {
  it("serves the first entry that fits and has uses left", async () => {
    const provider = inCode(["one", { text: "two", times: 2 }, { text: "ever", times: "always" }]);
    const texts: string[] = [];
    for (let index = 0; index < 5; index++) texts.push((await say(provider)).message.text);
    expect(texts).toEqual(["one", "two", "two", "ever", "ever"]);
  });

  it("counts uses for each run apart", async () => {
    const provider = inCode(["one"]);
    expect((await say(provider, { runId: "a" })).message.text).toBe("one");
    expect((await say(provider, { runId: "b" })).message.text).toBe("one");
    await expect(say(provider, { runId: "a" })).rejects.toMatchObject({ code: "script-exhausted" });
  });

  it.each([
    ["stage", { stage: "re*" }, { stage: "react" }, { stage: "direct" }],
    ["voice", { voice: "judge" }, { voice: "judge" }, { voice: "answer" }],
    ["key", { key: "sample:3" }, { key: "vote/sample:3/generate:0" }, { key: "vote/sample:2" }],
    [
      "layer",
      { layer: "prompt" },
      { output: { name: "answer", schema: {}, layer: "prompt" } },
      { output: { name: "answer", schema: {}, layer: "json-mode" } },
    ],
    ["inputs", { inputs: { n: [1] } }, { inputs: { n: [1], m: 2 } }, { inputs: { n: [2] } }],
    [
      "includes",
      { includes: ["rules", "hello"] },
      {
        messages: [
          { role: "system", text: "rules" },
          { role: "user", text: "hello" },
        ],
      },
      { messages: [{ role: "user", text: "hello" }] },
    ],
    [
      "excludes",
      { excludes: ["rules"] },
      {},
      {
        messages: [
          { role: "system", text: "rules" },
          { role: "user", text: "hello" },
        ],
      },
    ],
    [
      "lastIncludes",
      { lastIncludes: "b" },
      {
        messages: [
          { role: "user", text: "a" },
          { role: "user", text: "b" },
        ],
      },
      {
        messages: [
          { role: "user", text: "b" },
          { role: "user", text: "a" },
        ],
      },
    ],
  ] as const)("matches by %s", async (_name, entry, fits, other) => {
    const provider = inCode([
      { ...entry, text: "matched" },
      { text: "else", times: "always" },
    ]);
    expect((await say(provider, other)).message.text).toBe("else");
    expect((await say(provider, fits)).message.text).toBe("matched");
  });

  it("says what was asked and what stands unused when nothing fits", async () => {
    const provider = inCode([{ stage: "plan", text: "x" }]);
    await expect(say(provider, { stage: "react", voice: "act", key: "k" })).rejects.toMatchObject({
      code: "script-exhausted",
      retryable: false,
      message: expect.stringMatching(
        /stage react, voice act, key k\. 1 of 1 entries stand unused \(entry 1: stage is not plan\).*"hello"/,
      ),
      details: { stage: "react", voice: "act", key: "k", lastMessage: "hello", unused: 1 },
    });
  });
});

describe("scripted replies", () => {
  it("sends json as text, calls with ids of their own, and raw arguments as they stand", async () => {
    const provider = inCode([
      { json: { a: 1 } },
      {
        calls: [
          { name: "f", arguments: { b: 2 } },
          { name: "g", arguments: '{"c":' },
        ],
        text: "now",
      },
    ]);
    expect((await say(provider)).message.text).toBe('{"a":1}');
    const reply = await say(provider);
    expect(reply.finishReason).toBe("tool-calls");
    expect(reply.message.text).toBe("now");
    expect(reply.message.toolCalls).toEqual([
      { id: "call_1_0", name: "f", arguments: '{"b":2}' },
      { id: "call_1_1", name: "g", arguments: '{"c":' },
    ]);
  });

  it("throws an entry's error", async () => {
    const provider = inCode([
      { error: { code: "provider-unavailable", message: "busy", retryable: true } },
    ]);
    await expect(say(provider)).rejects.toMatchObject({
      code: "provider-unavailable",
      message: "busy",
      retryable: true,
    });
  });

  it("tells deltas that join to the text, reasoning first", async () => {
    const deltas: Delta[] = [];
    const provider = inCode([{ text: " a b\n c ", reasoning: "think hard" }]);
    await provider.generate(stubRequest(), { signal, onDelta: (delta) => deltas.push(delta) });
    const joined = (kind: string): string =>
      deltas
        .filter((delta) => delta.kind === kind)
        .map((delta) => delta.text)
        .join("");
    expect([joined("reasoning"), joined("text")]).toEqual(["think hard", " a b\n c "]);
    expect(deltas[0]?.kind).toBe("reasoning");
    expect(deltas.length).toBeGreaterThan(4);
  });

  it("estimates usage from characters unless told", async () => {
    const provider = inCode([
      { text: "12345678", reasoning: "1234" },
      { text: "x", usage: { input: 7 } },
    ]);
    expect((await say(provider)).usage).toEqual({
      input: 2,
      cacheRead: 0,
      cacheWrite: 0,
      output: 3,
      reasoning: 1,
    });
    expect((await say(provider)).usage).toMatchObject({ input: 7, output: 0 });
  });

  it("stops waiting when the signal aborts", async () => {
    const controller = new AbortController();
    const provider = inCode([{ text: "late", delayMs: 60_000 }]);
    const reply = provider.generate(stubRequest(), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(reply).rejects.toThrow("enough");
  });

  it("asks a function", async () => {
    const provider = inCode((request) => `${request.stage}!`);
    expect((await say(provider, { stage: "plan" })).message.text).toBe("plan!");
  });
});

describe("scripted files", () => {
  it("reads YAML", async () => {
    const provider = await inFile(
      "s.yaml",
      "replies:\n  - stage: direct\n    json: { ok: true }\n  - plain\n",
    );
    expect((await say(provider)).message.text).toBe('{"ok":true}');
    expect((await say(provider)).message.text).toBe("plain");
  });

  it.each([
    ["s.json.gz", JSON.stringify({ replies: [{ text: "a" }, { text: "b" }] })],
    ["s.jsonl.gz", '{"text":"a"}\n{"text":"b"}\n'],
    ["s.yaml.gz", "replies: [{ text: a }, { text: b }]"],
  ])("reads %s", async (name, content) => {
    const provider = await inFile(name, gzipSync(content));
    expect((await say(provider)).message.text).toBe("a");
    expect((await say(provider)).message.text).toBe("b");
  });

  it("serves a table by input and sample", async () => {
    const table = {
      input: "puzzle",
      samples: { "1 2 3 4": ["zero", "one", "two"], "4 4": ["four"] },
    };
    const provider = await inFile("s.json", JSON.stringify({ table }));
    const ask = async (puzzle: string, key: string): Promise<string> =>
      (await say(provider, { inputs: { puzzle }, key })).message.text;
    expect(await ask("1 2 3 4", "vote/sample:2/generate:0")).toBe("two");
    expect(await ask("1 2 3 4", "vote/sample:1/generate:0")).toBe("one");
    expect(await ask("4 4", "direct/generate:0")).toBe("four");
    await expect(ask("4 4", "vote/sample:1/x")).rejects.toMatchObject({ code: "script-exhausted" });
  });

  it.each([
    ["replies: [{ texts: a }]", /replies\[0\] has the unknown key texts/],
    ["replies: [{ stage: a }]", /replies\[0\] says nothing/],
    ["replies: [{ text: a, times: often }]", /replies\[0\]\.times must be a count or `always`/],
    ["replies: [{ error: { code: nope, message: a } }]", /replies\[0\]\.error must be/],
    ["reply: []", /unknown key reply/],
    ["- a", /the file must be a map/],
    ["replies: [", /is broken/],
  ])("refuses %s", async (content, message) => {
    await expect(say(await inFile("s.yaml", content))).rejects.toMatchObject({
      code: "provider-failed",
      message: expect.stringMatching(message) as string,
    });
  });

  it("tells a missing file and a missing option", async () => {
    await expect(say(createProvider(scripted, { file: "/nowhere/s.yaml" }))).rejects.toThrow(
      /can't read \/nowhere\/s.yaml.*Check the path/s,
    );
    expect(scripted.options).toMatchObject({ required: ["file"] });
  });
});

describe("a look into the file of a script", () => {
  async function look(name: string, content: string | Uint8Array) {
    const file = join(await mkdtemp(join(tmpdir(), "script-")), name);
    await writeFile(file, content);
    const inspect = scripted.inspect as (options: object) => readonly FileFault[];
    return { file, inspect: () => inspect({ file }) };
  }
  const placesOf = (faults: readonly FileFault[]) =>
    faults.map(({ line, column, message }) => `${line}:${column} ${message}`);

  it("finds nothing in a sound one", async () => {
    const { inspect } = await look("s.yaml", "replies: [a, { text: b }]\n");
    expect(inspect()).toEqual([]);
  });

  it("tells every broken entry at its place", async () => {
    const text =
      "replies:\n  - text: a\n    tiems: 2\n  - b\n  - text: c\n    times: often\nmore: 1\n";
    const { file, inspect } = await look("s.yaml", text);
    expect(placesOf(inspect())).toEqual([
      "7:1 the file has the unknown key more; known are replies, table",
      expect.stringMatching(/^3:5 replies\[0\] has the unknown key tiems; known are stage, /),
      "6:12 replies[2].times must be a count or `always`",
    ]);
    expect(inspect().map(({ repair }) => repair)).toEqual([
      "delete it, or write one of the known keys",
      "did you mean `times`?",
      "write `times` like `2`",
    ]);
    expect(inspect()[0]).toMatchObject({ file });
  });

  it("tells a key that no step key can hold", async () => {
    const { inspect } = await look("s.yaml", 'replies:\n  - { key: "*.fields", text: a }\n');
    expect(placesOf(inspect())).toEqual([
      expect.stringMatching(/^2:12 replies\[0\]\.key is plain/),
    ]);
    expect(inspect()[0]?.repair).toContain('`".fields"`');
  });

  it.each([
    ["s.yaml", "replies:\n  - [a\n", /^3:1 it is not YAML: /],
    ["s.yaml", "", /^1:1 the file must be a map$/],
    ["s.yaml", "a: &a [1]\nb: *c\n", /^undefined:undefined it is not YAML: Unresolved alias/],
    ["s.json", '{ "replies": [\n  { "text": 1 }\n] }', /^2:13 replies\[0\]\.text must be text$/],
    ["s.jsonl", '"a"\n\n{"text":2}\n', /^3:1 replies\[1\]\.text must be text$/],
    [
      "s.yaml",
      "table: { input: n, samples: { '1 2': a } }",
      /^1:38 table\.samples\["1 2"\] must be/,
    ],
  ])("%s with %j", async (name, text, place) => {
    expect(placesOf((await look(name, text)).inspect())).toEqual([expect.stringMatching(place)]);
  });

  it.each([
    ["s.jsonl", '{"tims":"always","text":"a"}', "did you mean `times`?"],
    [
      "s.jsonl",
      "text: a",
      'write one whole reply in each line, like `{"text": "Hello"}` or `"Hello"`',
    ],
    ["s.jsonl", '{"text":"a",}', "mend it there: JSON wants double quotes, and no comma"],
    ["s.json", '{"replies":["a",]}', "mend it there: JSON wants double quotes, and no comma"],
    ["s.json", '["a"]', "put the list under the key `replies`"],
    ["s.yaml", "replies: [{ text: 1 }]", 'put it in quotes: `"1"`'],
    ["s.yaml", "replies: [true]", 'put it in quotes: `"true"`'],
    ["s.yaml", "replies: [{ text: a, includes: b }]", 'write `["b"]`'],
    ["s.yaml", "replies: [{ text: a, times: allways }]", "did you mean `always`?"],
    ["s.yaml", "replies: [{ text: a, finishReason: stopp }]", "did you mean `stop`?"],
    ["s.yaml", "replies: [{ calls: search }]", 'write `calls` like `[{ "name": "calculator", '],
    ["s.yaml", "replies: [{ text: a, json: [] }]", "keep one of `text` and `json`"],
    ["s.yaml", "replies: [{ times: 2 }]", "add the `text` that the model says"],
    ["s.yaml", "replys: [a]", "did you mean `replies`?"],
    ["s.yaml", "table: [a]", 'write it like `{ "input": '],
  ])("%s with %s says what to do", async (name, text, repair) => {
    const [fault] = (await look(name, text)).inspect();
    expect(fault?.repair).toContain(repair);
  });

  it("names the line of broken JSON, where the system says it and where it does not", async () => {
    const { inspect } = await look("s.json", '{\n  "replies": [{"text":"a",}]\n}');
    expect(placesOf(inspect())).toEqual([expect.stringMatching(/^2:27 it is not JSON: /)]);
    const bare = (await look("t.json", '{\n  "replies": ["a",]\n}')).inspect();
    expect(bare).toMatchObject([{ message: expect.stringMatching(/^it is not JSON: .*\]/) }]);
    expect(bare).toMatchObject([{ line: 2, column: 19 }]);
    const cut = (await look("u.json", '{\n  "replies": [\n')).inspect();
    expect(cut).toMatchObject([{ line: 2, column: 15 }]);
    const nothing = (await look("v.json", '\n{ "replies": nope }')).inspect();
    expect(nothing).toMatchObject([{ line: 2, column: 15 }]);
  });

  it("gives no place in a packed file, whose lines nobody sees", async () => {
    const { inspect } = await look("s.jsonl.gz", gzipSync('"a"\n{"text":2}\n'));
    const [fault, ...others] = inspect();
    expect(fault).toMatchObject({ message: "line 2: replies[1].text must be text" });
    expect(fault?.line).toBeUndefined();
    expect(others).toEqual([]);
  });

  it("tells twenty and how many more there are", async () => {
    const { inspect } = await look("s.jsonl", '{"text":2}\n'.repeat(33));
    expect(inspect()).toHaveLength(21);
    expect(inspect().at(-1)).toMatchObject({ message: "13 more are wrong in this file" });
  });

  it("sees a file that was mended", async () => {
    const { file, inspect } = await look("s.yaml", "replies: 1\n");
    expect(inspect()).toHaveLength(1);
    await writeFile(file, "replies: [it is mended]\n");
    expect(inspect()).toEqual([]);
  });

  it("tells a file that can't be read, and never throws", async () => {
    const { inspect } = await look("s.yaml.gz", "no gzip");
    expect(inspect()).toMatchObject([{ message: expect.stringMatching(/^it can't be read: /) }]);
  });
});
