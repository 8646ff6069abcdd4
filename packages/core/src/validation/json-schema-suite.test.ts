import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../contracts/json.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { misfits, schemaFault } from "./json-validator.ts";

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonSchema | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: Json;
    readonly valid: boolean;
  }[];
}

type Draft = "draft2020-12" | "draft7";

const folder = new URL("../../../../fixtures/json-schema-suite/", import.meta.url);
const known = "../../../../fixtures/json-schema-suite/known-failures.json";

function read(file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(new URL(file, folder))).toString("utf8"));
}

function groupsOf(draft: Draft): readonly (readonly [name: string, SuiteGroup])[] {
  const files = Object.entries(read(`${draft}.json.gz`) as Record<string, SuiteGroup[]>);
  return files.flatMap(([file, groups]) =>
    groups.map((group) => [`${file}: ${group.description}`, group] as const),
  );
}

/** What became of the tests of a draft: right, judged otherwise by name, refused by reason and name of the schema. */
interface SuiteReport {
  right: number;
  readonly wrong: string[];
  readonly refused: Record<string, string[]>;
}

type Judge = (schema: JsonSchema | boolean) => (data: Json) => boolean;

function report(draft: Draft, judge: Judge, toReason: (message: string) => string): SuiteReport {
  const made: SuiteReport = { right: 0, wrong: [], refused: {} };
  for (const [name, { schema, tests }] of groupsOf(draft)) {
    const fits = compiled(judge, schema);
    if (typeof fits === "string") {
      const reason = toReason(fits);
      (made.refused[reason] ??= []).push(name);
      continue;
    }
    for (const { description, data, valid } of tests) {
      if (isJudged(fits, data, valid)) made.right += 1;
      else made.wrong.push(`${name}: ${description}`);
    }
  }
  return made;
}

function isJudged(fits: ReturnType<Judge>, data: Json, valid: boolean): boolean {
  try {
    return fits(data) === valid;
  } catch {
    // A reference without end, which the engine follows until the stack is full.
    return false;
  }
}

function compiled(judge: Judge, schema: JsonSchema | boolean): ReturnType<Judge> | string {
  try {
    return judge(schema);
  } catch (fault) {
    return messageOf(fault);
  }
}

function testCount(draft: Draft, names?: readonly string[]): number {
  return groupsOf(draft)
    .filter(([name]) => names === undefined || names.includes(name))
    .reduce((sum, [, { tests }]) => sum + tests.length, 0);
}

/** The set-up; the drafts of the suite differ in what a schema says that names none. */
const ours =
  (draft: Draft): Judge =>
  (given) => {
    const isOld = draft === "draft7" && typeof given === "object";
    const schema = (
      isOld ? { $schema: "http://json-schema.org/draft-07/schema#", ...given } : given
    ) as JsonSchema;
    const fault = schemaFault(schema);
    if (fault !== undefined) throw new Error(fault);
    return (data) => misfits(data, schema).length === 0;
  };

/** Why the set-up refuses a schema. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/missing type/u, "strict: a keyword without the type that it is for"],
  [/unknown keyword/u, "strict: a keyword that the draft does not have"],
  [/-tuple, but|strictTuple/u, "strict: a tuple of open length"],
  [/strictRequired/u, "strict: a required field that is not described"],
  [/is ignored/u, "strict: a keyword that has no effect where it stands"],
  [/can't resolve reference/u, "refers to another document: nothing is fetched"],
  [/already exists/u, "has an `$id` that another schema had before"],
  [/weak map key|is not an object|boolean/u, "is a boolean"],
  [/enum must (?:NOT have fewer|have non-empty)/u, "an `enum` that allows no value"],
  [/dynamicRef/u, "a `$dynamicRef`"],
  [/names "http:\/\/localhost/u, "of a draft of its own"],
  [/call stack/u, "refers to itself without end"],
];

function reasonOf(list: typeof reasons): (message: string) => string {
  return (message) => list.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}

const options = {
  allErrors: true,
  discriminator: true,
  ownProperties: true,
  strict: false,
  validateFormats: false,
  logger: false,
} as const;

/** The engine of the set-up without its strictness, with the documents that the suite expects to be fetched. */
function engine(draft: Draft): Judge {
  const made = draft === "draft7" ? new Ajv(options) : new Ajv2020(options);
  for (const [path, schema] of Object.entries(
    read("remotes.json.gz") as Record<string, JsonSchema>,
  ))
    if (path.startsWith(`${draft}/`) || !/^(?:draft|v1)/u.test(path))
      made.addSchema(schema, `http://localhost:1234/${path}`);
  return (schema) => {
    const validate = made.compile(schema);
    return (data) => validate(data);
  };
}

/** Why the engine itself can't compile a schema, by name. */
const engineReasons: readonly (readonly [RegExp, string])[] = [
  [/"\$dynamicRef" only/u, "a `$dynamicRef` to another document"],
  [/enum must have non-empty/u, "an `enum` that allows no value"],
  [/call stack/u, "the meta-schema, dynamic references and all"],
];

const drafts = ["draft2020-12", "draft7"] as const;
const reported = <T>(of: (draft: Draft) => T): Record<Draft, T> => ({
  "draft2020-12": of("draft2020-12"),
  draft7: of("draft7"),
});

describe("the JSON Schema Test Suite", () => {
  // One after the other, for the set-up knows each `$id` once.
  const setUp = reported((draft) => report(draft, ours(draft), reasonOf(reasons)));
  const bare = reported((draft) => report(draft, engine(draft), reasonOf(engineReasons)));

  it("fails where it is known to, and nowhere else", async () => {
    const text = JSON.stringify({ setUp, engine: bare }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot(known);
  });

  it("has each test once: right, wrong or refused", () => {
    for (const list of [setUp, bare])
      for (const draft of drafts) {
        const { right, wrong, refused } = list[draft];
        const named = Object.values(refused).flat();
        expect(right + wrong.length + testCount(draft, named)).toBe(testCount(draft));
      }
    expect(drafts.map((draft) => testCount(draft))).toEqual([1_299, 927]);
  });

  it("is judged by the engine as its figures say", () => {
    expect(drafts.map((draft) => bare[draft].right)).toEqual([1_241, 923]);
  });

  it("is never judged wrongly by the set-up, but where `$ref` stands beside `$id`", () => {
    expect(drafts.flatMap((draft) => setUp[draft].wrong)).toEqual([
      "ref: $ref prevents a sibling $id from changing the base uri: $ref resolves to /definitions/base_foo, data does not validate",
      "ref: $ref prevents a sibling $id from changing the base uri: $ref resolves to /definitions/base_foo, data validates",
    ]);
    expect(drafts.map((draft) => setUp[draft].right)).toEqual([335, 310]);
  });

  it("is refused for reasons that are known", () => {
    const expected = new Set([...reasons, ...engineReasons].map(([, reason]) => reason));
    const given = [setUp, bare].flatMap((list) =>
      drafts.flatMap((draft) => Object.keys(list[draft].refused)),
    );
    expect(given.filter((reason) => !expected.has(reason))).toEqual([]);
  });
});
