import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finishCalls, ToolCallParts } from "./tool-call-parts.ts";
import type { WireCall } from "./wire.ts";

type Part = [index: number | undefined, id: unknown, name: unknown, text: unknown];

function assemble(parts: readonly Part[]): readonly string[] {
  const calls = new ToolCallParts();
  for (const [index, id, name, text] of parts) {
    const part: WireCall = {
      ...(index === undefined ? {} : { index }),
      ...(id === undefined ? {} : { id: id as string }),
      function: { ...(name === undefined ? {} : { name }), arguments: text },
    };
    calls.add(part);
  }
  return finishCalls(calls.calls, "made_").map(
    (call) => `${call.id} ${call.name} ${call.arguments}`,
  );
}

const _ = undefined;

describe("tool calls from fragments", () => {
  it.each<[string, Part[], string[]]>([
    [
      "the id on the first fragment only",
      [
        [0, "a", "f", ""],
        [0, _, _, '{"x"'],
        [0, _, _, ":1}"],
      ],
      ['a f {"x":1}'],
    ],
    [
      "interleaved by index (QwenLM/Qwen-Agent#943)",
      [
        [0, "a", "f", '{"x"'],
        [1, "b", "g", '{"y"'],
        [0, _, _, ":1}"],
        [1, _, _, ":2}"],
      ],
      ['a f {"x":1}', 'b g {"y":2}'],
    ],
    [
      "one index for all, distinct ids (langchain-ai/langchain#40392, openai-python#3241)",
      [
        [0, "a", "f", '{"x":1}'],
        [0, "b", "f", '{"y"'],
        [0, _, _, ":2}"],
      ],
      ['a f {"x":1}', 'b f {"y":2}'],
    ],
    [
      "no index (openai-python#3246)",
      [
        [_, "a", "f", '{"x"'],
        [_, "a", _, ":1}"],
        [_, "b", "g", "{}"],
      ],
      ['a f {"x":1}', "b g {}"],
    ],
    [
      "no index and no id",
      [
        [_, _, "f", '{"x"'],
        [_, _, _, ":1}"],
        [_, _, "g", "{}"],
      ],
      ['made_0 f {"x":1}', "made_1 g {}"],
    ],
    [
      "no index, no id, the same tool twice",
      [
        [_, _, "f", '{"x":1}'],
        [_, _, "f", '{"x":2}'],
      ],
      ['made_0 f {"x":1}', 'made_1 f {"x":2}'],
    ],
    [
      "the index moves on continuations (dirac#215)",
      [
        [0, "a", "f", '{"x"'],
        [1, _, _, ":1}"],
        [1, "b", "g", '{"y"'],
        [2, _, _, ":2}"],
      ],
      ['a f {"x":1}', 'b g {"y":2}'],
    ],
    [
      "one id for all calls (openrouter)",
      [
        [0, "a", "f", '{"x":1}'],
        [1, "a", "f", '{"x":2}'],
        [0, "a", "g", "{}"],
      ],
      ['a f {"x":1}', 'made_1 f {"x":2}', "made_2 g {}"],
    ],
    [
      "another id on every fragment (poolsideai/pool#9)",
      [
        [0, "a", "f", '{"x"'],
        [0, "b", _, ":1}"],
      ],
      ['a f {"x":1}'],
    ],
    [
      "empty ids (continue#13235)",
      [
        [0, "", "f", "{}"],
        [1, "", "g", "{}"],
      ],
      ["made_0 f {}", "made_1 g {}"],
    ],
    [
      "the id comes late",
      [
        [0, _, "f", '{"x"'],
        [0, "a", _, ":1}"],
      ],
      ['a f {"x":1}'],
    ],
    [
      "the name in every fragment (hermes-agent#8259)",
      [
        [0, "a", "f", ""],
        [0, "a", "f", '{"x"'],
        [0, "a", "f", ":1}"],
        [0, "a", "f", ""],
      ],
      ['a f {"x":1}'],
    ],
    [
      "the name after the arguments (vercel/ai#15879)",
      [
        [0, "a", _, '{"x":1}'],
        [0, "a", "f", ""],
      ],
      ['a f {"x":1}'],
    ],
    ["arguments as an object (llama.cpp#20198)", [[0, "a", "f", { x: 1 }]], ['a f {"x":1}']],
    [
      "arguments null, missing or empty",
      [
        [0, "a", "f", null],
        [1, "b", "g", _],
        [2, "c", "h", ""],
      ],
      ["a f {}", "b g {}", "c h {}"],
    ],
    [
      "the same arguments twice (litellm#40582)",
      [
        [0, "a", "f", '{"x":1}'],
        [0, "a", _, '{"x":1}'],
      ],
      ['a f {"x":1}'],
    ],
    [
      "the same arguments three times, with blanks between them",
      [[0, "a", "f", '{"x":"}{\\"","y":{}}\n{"x":"}{\\"","y":{}} {"x":"}{\\"","y":{}}']],
      ['a f {"x":"}{\\"","y":{}}'],
    ],
    ["what only begins the same", [[0, "a", "f", '{"x":1}{"x":1']], ['a f {"x":1}{"x":1']],
    ["the same around something else", [[0, "a", "f", '{}"x"{}']], ['a f {}"x"{}']],
    ["a list twice", [[0, "a", "f", "[{}][{}]"]], ["a f [{}][{}]"]],
    [
      "different objects glued stay glued",
      [
        [0, "a", "f", '{"x":1}'],
        [0, _, _, '{"x":2}'],
      ],
      ['a f {"x":1}{"x":2}'],
    ],
    ["a call that never gets a name is left out", [[0, "a", _, "{}"]], []],
    [
      "ids that are numbers",
      [
        [0, 7, "f", '{"x"'],
        [0, 7, _, ":1}"],
        [0, 8, "f", "{}"],
      ],
      ['7 f {"x":1}', "8 f {}"],
    ],
    [
      "ids and names of other types",
      [
        [0, { a: 1 }, { f: 1 }, '{"x"'],
        [0, true, "f", ":1}"],
      ],
      ['made_0 f {"x":1}'],
    ],
    [
      "arguments that are broken within their braces",
      [
        [0, "a", "f", '{"x":}'],
        [0, "b", "f", "{}"],
      ],
      ['a f {"x":}', "b f {}"],
    ],
  ])("%s", (_name, parts, expected) => {
    expect(assemble(parts)).toEqual(expected);
  });
});

describe("calls one after the other, however a server tells them apart", () => {
  const argument = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  const calls = fc.array(fc.tuple(fc.constantFrom("f", "g"), argument), {
    minLength: 1,
    maxLength: 4,
  });
  const manners = fc.record({
    index: fc.constantFrom("right", "none", "same", "moving"),
    size: fc.integer({ min: 1, max: 9 }),
    isIdEverywhere: fc.boolean(),
    isNameEverywhere: fc.boolean(),
  });

  it("are the calls that were made", () => {
    fc.assert(
      fc.property(calls, manners, (made, { index, size, isIdEverywhere, isNameEverywhere }) => {
        // A name on a place of its own begins a call where no id says otherwise.
        fc.pre(index !== "moving" || isIdEverywhere || !isNameEverywhere);
        let moved = 0;
        const parts = made.flatMap(([name, value], place): Part[] => {
          const text = JSON.stringify(value);
          const pieces = text.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
          return pieces.map((piece, nth) => {
            moved += 1;
            const at = { right: place, none: _, same: 0, moving: moved }[index];
            const id = nth === 0 || isIdEverywhere ? `id${place}` : _;
            return [at, id, nth === 0 || isNameEverywhere ? name : _, piece];
          });
        });
        const expected = made.map(
          ([name, value], place) => `id${place} ${name} ${JSON.stringify(value)}`,
        );
        expect(assemble(parts)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("work on fragments", () => {
  const begin: Part = [0, "x", "f", '{"a":"'];
  it.each<[string, (index: number) => Part]>([
    ["an id for each", (index) => [0, `i${index}`, _, "abcd"]],
    ["an id for each, and braces", (index) => [0, `i${index}`, _, "abc}"]],
    ["the name in each", () => [_, _, "f", "abc}"]],
    [
      "a call for every eighth",
      (index) => [index >> 3, `i${index >> 3}`, "f", index % 8 === 0 ? "{" : " "],
    ],
    ["objects glued together", () => [0, "y", "f", "{}"]],
  ])("grows with them and no faster: %s", (_name, partAt) => {
    const timeOf = (count: number): number => {
      const parts = [begin, ...Array.from({ length: count }, (_one, index) => partAt(index))];
      const times = Array.from({ length: 3 }, () => {
        const start = process.cpuUsage();
        assemble(parts);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      // The least time of the processor, since what else goes on only adds.
      return Math.min(...times);
    };
    timeOf(1_000);
    // Sixteen times the fragments: 256 times the time where each one reads those before it.
    expect(timeOf(32_000)).toBeLessThan(80 * Math.max(timeOf(2_000), 500));
  });
});
