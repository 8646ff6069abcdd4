import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "./read-arguments.ts";

const schema = {
  type: "object",
  properties: { item: { type: "string" }, count: { type: "integer" } },
  required: ["item"],
  additionalProperties: false,
} as const;

describe("the arguments of a tool call", () => {
  it("are read where they are one object that fits", () => {
    expect(readArguments(' {"item":"nut"} ', schema)).toEqual({ ok: true, input: { item: "nut" } });
  });

  // openai-agents-js#887, TanStack/ai#1131, langchainjs#11154, verifiers#1763, vercel/ai#13657
  it.each(['{"a":', "null", "[1]", '"x"', '{"item":"a"}{"item":"b"}', "true", "4"])(
    "%s is no object, and the shape that is wanted is shown",
    (text) => {
      expect(readArguments(text, schema)).toMatchObject({
        ok: false,
        message: expect.stringContaining('{"item":"string","count":"integer"}') as string,
      });
    },
  );

  it.each([
    ["{}", "lacks `item`"],
    ["", "lacks `item`"],
    ['{"item":4}', "`item` is 4, not string"],
    ['{"item":"a","count":1.5}', "`count` is 1.5, not integer"],
    ['{"item":"a","colour":"red"}', "has `colour`, which is not one of its fields"],
  ])("%j does not fit, with path and reason", (text, reason) => {
    expect(readArguments(text, schema)).toMatchObject({
      ok: false,
      message: expect.stringContaining(reason) as string,
    });
  });

  it("never throw and never pass unfit, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readArguments(text, schema);
        expect(read.ok && typeof read.input["item"] !== "string").toBe(false);
      }),
    );
  });

  it("reach no prototype", () => {
    const open = { type: "object" } as const;
    expect(readArguments('{"__proto__":{"item":"nut"}}', open).ok).toBe(false);
    expect(readArguments('{"item":"a","constructor":{}}', schema).ok).toBe(false);
  });
});

const trip = {
  type: "object",
  properties: {
    city: { enum: ["Shanghai", "Ulm"] },
    days: { type: "integer" },
    share: { type: "number" },
    isRound: { type: "boolean" },
    code: { type: "string", pattern: "^[A-Z]+$" },
    note: { type: "string" },
    tags: { type: "array", items: { enum: ["sea", "hill"] } },
    guest: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] },
    seat: { anyOf: [{ type: "integer" }, { type: "null" }] },
    either: { anyOf: [{ type: "integer" }, { type: "boolean" }, { enum: ["Window"] }] },
    twice: { anyOf: [{ enum: ["A"] }, { enum: ["a"] }] },
  },
  additionalProperties: false,
} as const;

function changesOf(text: string): unknown {
  const read = readArguments(text, trip);
  return read.ok ? (read.changes ?? []).map(({ path, to }) => [path, to]) : read.message;
}

describe("arguments that say what is meant in another form", () => {
  it.each([
    ['{"city":"Shanghai, China"}', [["city", "Shanghai"]]],
    ['{"city":"ulm"}', [["city", "Ulm"]]],
    ['{"days":"5"}', [["days", 5]]],
    ['{"days":"-5"}', [["days", -5]]],
    ['{"share":"0.5"}', [["share", 0.5]]],
    ['{"isRound":"true"}', [["isRound", true]]],
    ['{"code":" ABC "}', [["code", "ABC"]]],
    ['{"note":" ABC "}', []],
    ['{"tags":["SEA","hill"]}', [["tags[0]", "sea"]]],
    ['{"tags":"[\\"sea\\"]"}', [["tags", ["sea"]]]],
    ['{"guest":{"age":"7"}}', [["guest.age", 7]]],
    [
      '{"guest":"{\\"age\\":\\"7\\"}"}',
      [
        ["guest", { age: "7" }],
        ["guest.age", 7],
      ],
    ],
    ['{"seat":"7"}', [["seat", 7]]],
    ['{"either":"window"}', [["either", "Window"]]],
  ])("%s", (text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  it.each([
    ['{"days":"5.0"}', "`days`"],
    ['{"days":"05"}', "`days`"],
    ['{"days":"5 days"}', "`days`"],
    ['{"days":"1,000"}', "`days`"],
    ['{"days":"99999999999999999999"}', "`days`"],
    ['{"days":5.5}', "`days`"],
    ['{"isRound":"yes"}', "`isRound`"],
    ['{"isRound":1}', "`isRound`"],
    ['{"note":5}', "`note` is 5, not string"],
    ['{"tags":"sea"}', "`tags`"],
    ['{"city":"Shang"}', "`city`"],
    ['{"city":"China, Shanghai"}', "`city`"],
    ['{"either":"7 or 8"}', "`either`"],
    ['{"town":"Ulm"}', "has `town`"],
  ])("%s is not guessed", (text, reason) => {
    expect(changesOf(text)).toContain(reason);
  });

  it("keep what could be two things", () => {
    expect(changesOf('{"twice":"Ａ"}')).toContain("`twice`");
  });
});

describe("an argument text with a harmless fault", () => {
  it.each([
    ["a trailing comma", '{"item":"nut",}'],
    ["a comment", '{"item":"nut" /* one */}'],
    ["single quotation marks", "{'item':'nut'}"],
    ["keys without quotation marks", '{item:"nut"}'],
    ["a fence", '```json\n{"item":"nut"}\n```'],
    ["an object inside a text", JSON.stringify('{"item":"nut"}')],
    ["an object inside a text inside a text", JSON.stringify(JSON.stringify('{"item":"nut"}'))],
  ])("%s is read, and said to be", (_name, text) => {
    const read = readArguments(text, schema);
    expect(read).toMatchObject({ ok: true, input: { item: "nut" } });
    expect(read.ok && read.changes).toMatchObject([{ path: "", to: { item: "nut" } }]);
  });

  it.each([
    ["a missing bracket", '{"item":"nut"'],
    ["a missing value", '{"item":'],
    ["a missing comma", '{"item":"a" "count":1}'],
    ["a word without quotation marks", "{item: nut}"],
    ["a key twice", '{"item":"a","item":"b"}'],
    ["more digits than a number keeps", '{"item":"a","count":12345678901234567890}'],
    ["prose around it", 'Here it is: {"item":"nut"}'],
    ["two fences", '```\n{"item":"a"}\n```\n```\n{"item":"b"}\n```'],
    ["a list of one", '[{"item":"nut"}]'],
  ])("%s is no such fault", (_name, text) => {
    expect(readArguments(text, schema)).toMatchObject({
      ok: false,
      message: expect.stringContaining("not one JSON object") as string,
    });
  });

  it("is a key twice with the same value, which says nothing else", () => {
    expect(readArguments('{"item":"a","item":"a"}', schema)).toMatchObject({
      input: { item: "a" },
    });
  });

  it("keeps text that only looks like a key", () => {
    const text = JSON.stringify({ item: 'say "x": 1 and 12345678901234567890' });
    expect(readArguments(text, schema)).toEqual({ ok: true, input: JSON.parse(text), changes: [] });
  });
});

describe("a tool that normalises its arguments", () => {
  const place = (input: never): unknown => {
    const { item, ...rest } = input as { readonly item: string };
    if (item.includes(" or ")) throw new Error("one place, please");
    return { ...rest, item: item.split(",")[0] };
  };

  it("gets them when they fit, and what it changes is told", () => {
    expect(readArguments('{"item":"Ulm, Germany","count":1}', schema, place)).toEqual({
      ok: true,
      input: { item: "Ulm", count: 1 },
      changes: [{ path: "item", from: "Ulm, Germany", to: "Ulm" }],
    });
    expect(readArguments('{"item":"Ulm"}', schema, place)).toEqual({
      ok: true,
      input: { item: "Ulm" },
    });
  });

  it("may refuse them", () => {
    expect(readArguments('{"item":"Ulm or Bonn"}', schema, place)).toEqual({
      ok: false,
      message: "the arguments can't be used: one place, please",
    });
  });

  it("is held to its own schema", () => {
    expect(readArguments('{"item":"Ulm"}', schema, () => ({ item: 4 }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("once normalised, do not fit: `item` is 4") as string,
    });
  });
});

describe("a value that is a text of JSON", () => {
  const order = {
    type: "object",
    properties: {
      ids: { type: "array", items: { type: "integer" } },
      guest: { type: "object", properties: { id: { type: "integer" } } },
    },
  } as const;

  it("is read as strictly as the arguments themselves", () => {
    expect(readArguments('{"ids":"[1, 2]"}', order)).toMatchObject({ input: { ids: [1, 2] } });
    expect(readArguments(String.raw`{"guest":"{\"id\": 4}"}`, order)).toMatchObject({
      input: { guest: { id: 4 } },
    });
  });

  it.each([
    '{"ids":"[12345678901234567890]"}',
    '{"ids":"[9007199254740993]"}',
    String.raw`{"guest":"{\"id\": 1, \"id\": 2}"}`,
    String.raw`{"guest":"{\"__proto__\": {}}"}`,
    '{"ids":"[1] [2]"}',
  ])("is refused where something would be lost: %s", (text) => {
    expect(readArguments(text, order).ok).toBe(false);
  });
});

describe("a text that names two of the values of a choice", () => {
  const literals = { anyOf: [{ const: "Shanghai" }, { const: "Beijing" }] };
  it.each([
    { enum: ["Shanghai", "Beijing"] },
    literals,
    { anyOf: [literals, { type: "null" }] },
    { oneOf: [{ enum: ["Shanghai"] }, { anyOf: [{ enum: ["Beijing"] }] }] },
  ])("is neither (%j)", (city) => {
    const stay = { type: "object", properties: { city } };
    const read = (text: string): unknown => readArguments(JSON.stringify({ city: text }), stay);
    expect(read("Shanghai, Beijing")).toMatchObject({ ok: false });
    expect(read("Shanghai, China")).toMatchObject({ input: { city: "Shanghai" } });
  });
});

describe("arguments that are nested very deep", () => {
  const anything = {
    type: "object",
    properties: { tree: { type: ["array", "string"] } },
    required: ["tree"],
  };
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it.each([101, 5_000, 90_000])("are refused before anybody walks through them (%d)", (depth) => {
    const read = readArguments(`{"tree":${nested(depth)}}`, anything);
    expect(read).toMatchObject({ ok: false, message: expect.stringContaining("nested deeper") });
  });

  it("are read up to a hundred levels, and brackets in a text are none", () => {
    expect(readArguments(`{"tree":${nested(99)}}`, anything).ok).toBe(true);
    expect(readArguments(`{"tree":"\\"${"[".repeat(500)}"}`, anything).ok).toBe(true);
  });

  it("are refused inside a text too", () => {
    const list = { ...anything, properties: { tree: { type: "array" } } };
    expect(readArguments(JSON.stringify({ tree: nested(5_000) }), list).ok).toBe(false);
  });
});
