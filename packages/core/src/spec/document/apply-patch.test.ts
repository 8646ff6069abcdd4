import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "../text/diagnostic.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";
import { type MapNode, nodeFromJson, toJson } from "../text/spec-node.ts";
import { applyPatch } from "./apply-patch.ts";

function mapOf(text: string): MapNode {
  const faults = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "spec.yaml"), faults);
  if (node?.kind !== "map") throw new Error(JSON.stringify(faults.items));
  return node;
}

function patched(base: string, ...patches: readonly string[]): unknown {
  const diagnostics = new Diagnostics();
  const node = patches.reduce(
    (map, patch) => applyPatch(map, mapOf(patch), { diagnostics }),
    mapOf(base),
  );
  expect(diagnostics.items.map(({ message }) => message)).toEqual([]);
  return toJson(node);
}

function refused(base: string, patch: string): readonly string[] {
  const diagnostics = new Diagnostics();
  applyPatch(mapOf(base), mapOf(patch), { diagnostics });
  return diagnostics.items.map(
    ({ code, line, column, message, suggestion }) =>
      `${code} ${line}:${column} ${message}; ${suggestion ?? ""}`,
  );
}

describe("a patch", () => {
  it("merges maps and replaces everything else", () => {
    const base = "limits: { usd: 1, time: 2m }\ntask: do it\nlanguage: en\n";
    expect(patched(base, "limits: { usd: 2 }\ntask: { text: again }\n")).toEqual({
      limits: { usd: 2, time: "2m" },
      task: { text: "again" },
      language: "en",
    });
  });

  it("replaces a list, and a map by a list", () => {
    expect(patched("tools: [a, b]\n", "tools: [c]\n")).toEqual({ tools: ["c"] });
    expect(patched("tools: { a: {} }\n", "tools: []\n")).toEqual({ tools: [] });
  });

  it("replaces a strategy whole, and each of the named ones", () => {
    const base =
      "strategy: { react: { maxSteps: 3 } }\nstrategies: { a: { plan: {} }, b: direct }\n";
    expect(patched(base, "strategy: { direct: {} }\nstrategies: { a: { refine: {} } }\n")).toEqual({
      strategy: { direct: {} },
      strategies: { a: { refine: {} }, b: "direct" },
    });
  });

  it.each([
    ["list to list", "[a]", "[b]", ["a", "b"]],
    ["map to map", "{ a: { use: x } }", "{ b: {} }", { a: { use: "x" }, b: {} }],
    [
      "list to map",
      "{ a: { use: x } }",
      "[b, { c: { n: 1 } }]",
      { a: { use: "x" }, b: {}, c: { n: 1 } },
    ],
    [
      "map to list",
      "[a, { c: { n: 1 } }]",
      "{ b: { use: x } }",
      { a: {}, c: { n: 1 }, b: { use: "x" } },
    ],
  ])("adds with `key+`: a %s", (_, base, added, result) => {
    for (const key of ["tools", "memory", "sinks"])
      expect(patched(`${key}: ${base}\n`, `${key}+: ${added}\n`)).toEqual({ [key]: result });
  });

  it("merges a map into a list of ids by name", () => {
    const base = "tools: [a, { b: { timeout: 1s } }]\n";
    expect(patched(base, "tools: { b: { cache: 2s }, a: { timeout: 3s } }\n")).toEqual({
      tools: { a: { timeout: "3s" }, b: { timeout: "1s", cache: "2s" } },
    });
  });

  it("adds at any depth, and to what is not there", () => {
    expect(
      patched("task: { text: do }\n", "task: { constraints+: [short] }\nsinks+: [console]\n"),
    ).toEqual({
      task: { text: "do", constraints: ["short"] },
      sinks: ["console"],
    });
  });

  it("removes by name with `key-`, from a list and from a map", () => {
    expect(patched("tools: [a, { b: { n: 1 } }, c]\n", "tools-: [b, c]\n")).toEqual({
      tools: ["a"],
    });
    expect(patched("tools: { a: {}, b: {} }\n", "tools-: [b]\n")).toEqual({ tools: { a: {} } });
    expect(patched("limits: { usd: 1, time: 2m }\n", "limits-: [usd]\n")).toEqual({
      limits: { time: "2m" },
    });
    const task = "task: { constraints: [short, { text: polite, rule: x }] }\n";
    expect(patched(task, "task: { constraints-: [polite] }\n")).toEqual({
      task: { constraints: ["short"] },
    });
  });

  it("removes before it sets, so that one patch can say a name anew", () => {
    const base = "memory: { m: { use: file, path: x } }\n";
    expect(patched(base, "memory+: { m: { use: in-process } }\nmemory-: [m]\n")).toEqual({
      memory: { m: { use: "in-process" } },
    });
  });

  it("takes terms of a glossary and fields as names, whatever they end in", () => {
    const base = "glossary: { C: a language }\n";
    const patch = "glossary: { C++: another, c-: none }\ninputs: { a+: string }\n";
    expect(patched(base, patch)).toEqual({
      glossary: { C: "a language", "C++": "another", "c-": "none" },
      inputs: { "a+": "string" },
    });
  });

  it("applies several in order: the last word holds", () => {
    const one = "limits: { usd: 2 }\nsinks+: [a]\n";
    const two = "limits: { usd: 3 }\nsinks+: [b]\n";
    expect(patched("sinks: [x]\n", one, two)).toEqual({
      sinks: ["x", "a", "b"],
      limits: { usd: 3 },
    });
    expect(patched("sinks: [x]\n", two, one)).toEqual({
      limits: { usd: 2 },
      sinks: ["x", "b", "a"],
    });
  });

  it("remembers what stood there, the latest first, and which overlay says it", () => {
    const diagnostics = new Diagnostics();
    const first = applyPatch(mapOf("task: a\n"), mapOf("task: b\n"), {
      diagnostics,
      overlay: "one",
    });
    const second = applyPatch(first, mapOf("task: c\n"), { diagnostics, overlay: "two" });
    const said = second.entries.get("task");
    expect(said?.value).toMatchObject({ value: "c", overlay: "two" });
    expect(said?.was).toMatchObject({ value: "b", overlay: "one" });
    expect(said?.earlier).toMatchObject([{ value: "a" }]);
  });

  it.each([
    [
      "tools: [search, draw]\n",
      "tools-: [serch]\n",
      "LW-SPEC-PATCH 1:10 `tools` holds no `serch` to remove; did you mean `search`?",
    ],
    [
      "name: x\n",
      "tools-: [a]\n",
      "LW-SPEC-PATCH 1:1 `tools` is nothing here: no name can be removed from it; delete `tools-`",
    ],
    [
      "tools: [a]\n",
      "tools-: a\n",
      "LW-VALUE-LIST-EXPECTED 1:9 `tools-` takes a list of the names that are removed, not `a`; write `tools-: [a]`",
    ],
    [
      "tools: [a]\n",
      "tools+: b\n",
      "LW-VALUE-LIST-EXPECTED 1:9 `tools+` takes what is added as a list or a map, not `b`; write `tools+: [b]`",
    ],
    [
      "tools: [a]\n",
      "tools+: [a]\n",
      "LW-SPEC-PATCH 1:10 `a` is in `tools` already, at spec.yaml:1; to change it, write `tools: { a: ... }`",
    ],
    [
      "task: do\n",
      "task+: [x]\n",
      "LW-SPEC-PATCH 1:1 `task` is `do` here: nothing can be added to it; write `task:` to replace it",
    ],
  ])("refuses what cannot be done: %j with %j", (base, patch, message) => {
    expect(refused(base, patch)).toEqual([message]);
  });
});

const name = fc.constantFrom("a", "b", "c", "limits", "notes", "task");
const spec = fc.dictionary(
  name,
  fc.oneof(
    fc.string(),
    fc.integer(),
    fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 3 }),
    fc.dictionary(name, fc.oneof(fc.integer(), fc.array(fc.integer(), { maxLength: 2 }))),
  ),
);
const nodeOf = (value: Record<string, unknown>): MapNode => {
  const at = { file: "spec.yaml", line: 1, column: 1 };
  return nodeFromJson(value as never, at, "") as MapNode;
};

describe("for any spec", () => {
  it("a patch of nothing changes nothing, and the spec itself as a patch changes nothing", () => {
    fc.assert(
      fc.property(spec, (said) => {
        const diagnostics = new Diagnostics();
        const apply = (patch: Record<string, unknown>): unknown =>
          toJson(applyPatch(nodeOf(said), nodeOf(patch), { diagnostics }));
        expect(apply({})).toEqual({ ...said });
        expect(apply(said)).toEqual({ ...said });
        expect(diagnostics.items).toEqual([]);
      }),
    );
  });

  it("what a patch says holds afterwards, and what it does not say stays", () => {
    fc.assert(
      fc.property(spec, spec, (said, patch) => {
        const diagnostics = new Diagnostics();
        const result = toJson(applyPatch(nodeOf(said), nodeOf(patch), { diagnostics })) as Record<
          string,
          unknown
        >;
        for (const [key, value] of Object.entries(patch)) {
          const below = said[key];
          const isMerged = isMap(value) && isMap(below);
          expect(result[key]).toEqual(isMerged ? { ...below, ...value } : value);
        }
        const untouched = Object.keys(said).filter((key) => !Object.hasOwn(patch, key));
        for (const key of untouched) expect(result[key]).toEqual(said[key]);
      }),
    );
  });
});

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
