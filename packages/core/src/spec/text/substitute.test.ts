import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Diagnostics } from "./diagnostic.ts";
import { parseYaml } from "./parse-yaml.ts";
import { sourceFromText } from "./read-source.ts";
import { nodeFromJson, toJson, type SpecNode } from "./spec-node.ts";
import { resolveRunId, resolveSecrets, substitute, type SubstituteOptions } from "./substitute.ts";

let root = "";
let outside = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-substitute-"));
  outside = mkdtempSync(join(tmpdir(), "loopwright-outside-"));
  mkdirSync(join(root, "specs/data"), { recursive: true });
  const files: readonly (readonly [string, string])[] = [
    ["specs/prompt.md", "Hello {{ inputs.name }} ${env:NAME} ${secret:KEY}\n"],
    ["specs/data/list.yaml", "- a: 1\n- a: ${env:NAME}\n"],
    ["specs/data/bad.yaml", "a: 1\na: 2\n"],
    ["specs/data/one.json", '{"product": null, "__proto__": 1, "n": 1.5, "s": "${secret:KEY}"}'],
    ["specs/data/bad.json", '{"a": 1,}'],
    ["specs/data/deep.json", "[".repeat(500) + "]".repeat(500)],
    ["specs/data/lines.jsonl", '{"task": "x"}\n\n{"task": "y"}\n'],
    ["specs/data/bad.jsonl", '{"task": "x"}\n{"task": 1,}\n'],
    ["specs/data/bad.csv", 'a,b\n1,"x\n'],
    ["specs/data/rows.csv", "a,b\n1,2\n"],
  ];
  for (const [name, text] of files) writeFileSync(join(root, name), text);
  writeFileSync(join(root, "specs/utf16.txt"), Buffer.from("\ufeffhi", "utf16le"));
  writeFileSync(join(outside, "secret.txt"), "outside");
  symlinkSync(join(outside, "secret.txt"), join(root, "specs/link.txt"));
});

afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
});

const env = {
  NAME: "Ann",
  EMPTY: "",
  COUNT: "7",
  TRICK: "${secret:KEY} ${run:id} ${env:NAME} $${x}",
  DOLLAR: "$",
  HALF: "${secret",
};

function run(
  text: string,
  more: Partial<SubstituteOptions> = {},
): { node: SpecNode | undefined; value: unknown; diagnostics: Diagnostics; found: string[] } {
  const diagnostics = new Diagnostics();
  const parsed = parseYaml(sourceFromText(text, "specs/a.yaml"), diagnostics);
  const options = {
    env,
    root,
    diagnostics,
    secretAllowed: (path: string) => path.startsWith("headers"),
    ...more,
  };
  const node = parsed === undefined ? undefined : substitute(parsed, options);
  const found = diagnostics.items.map(
    (item) => `${item.code} ${item.line}:${item.column} ${item.path}`,
  );
  return { node, value: node === undefined ? undefined : toJson(node), diagnostics, found };
}

describe("what is put in", () => {
  it.each<[string, string, unknown]>([
    ["a variable", "a: Hi ${env:NAME}!", { a: "Hi Ann!" }],
    ["a default", "a: x ${env:NONE:-some text} y", { a: "x some text y" }],
    ["an empty default", 'a: "x${env:NONE:-}y"', { a: "xy" }],
    ["the default of an empty variable", "a: ${env:EMPTY:-d}", { a: "d" }],
    ["an empty variable", 'a: "[${env:EMPTY}]"', { a: "[]" }],
    ["a literal", "a: $${env:NAME} costs $5 and $$", { a: "${env:NAME} costs $5 and $$" }],
    ["several in one text", "a: ${env:NAME}-${env:COUNT}", { a: "Ann-7" }],
    [
      "values inside lists and maps",
      "a: ['${env:NAME}', { b: '${env:COUNT}' }]",
      { a: ["Ann", { b: "7" }] },
    ],
    ["nothing into keys", "'${env:NAME}': x", { "${env:NAME}": "x" }],
    ["the run's id later", "a: runs/${run:id}.jsonl", { a: "runs/${run:id}.jsonl" }],
    ["a secret later", "headers: { t: '${secret:KEY}' }", { headers: { t: "${secret:KEY}" } }],
    ["a YAML file", "a: ${file:data/list.yaml}", { a: [{ a: 1 }, { a: "${env:NAME}" }] }],
    ["a list of JSON lines", "a: ${file:data/lines.jsonl}", { a: [{ task: "x" }, { task: "y" }] }],
    [
      "a data file inside text as text",
      "a: 'see ${file:data/lines.jsonl}'",
      { a: 'see {"task": "x"}\n\n{"task": "y"}\n' },
    ],
  ])("puts in %s", (_name, text, expected) => {
    const { value, diagnostics } = run(text);
    expect(diagnostics.items).toEqual([]);
    expect(value).toEqual(expected);
  });

  it("marks a whole variable, so that the field's type can read it", () => {
    const { node } = run("a: ${env:COUNT}\nb: x${env:COUNT}");
    const nodes =
      node?.kind === "map" ? [...node.entries.values()].map((entry) => entry.value) : [];
    expect(nodes).toMatchObject([
      { value: "7", fromEnv: true, text: "${env:COUNT}" },
      { value: "x7" },
    ]);
    expect(nodes[1]).not.toHaveProperty("fromEnv");
  });

  it("marks an unset variable, so that no reader says more about it", () => {
    const { node } = run("a: ${env:NONE}\nb: ${env:COUNT}", { severityOfUnset: "warning" });
    const nodes =
      node?.kind === "map" ? [...node.entries.values()].map((entry) => entry.value) : [];
    expect(nodes).toMatchObject([
      { value: "${env:NONE}", env: "NONE", isUnset: true },
      { value: "7", env: "COUNT", fromEnv: true },
    ]);
    expect(nodes[0]).not.toHaveProperty("fromEnv");
  });

  it("puts in a CSV file as a list of maps", () => {
    expect(run("a: ${file:data/rows.csv}").value).toEqual({ a: [{ a: "1", b: "2" }] });
    expect(run("a: see ${file:data/rows.csv}").value).toEqual({ a: "see a,b\n1,2\n" });
  });

  it("stops at the cap on files, and says so once", () => {
    const text = Array.from(
      { length: 300 },
      (_value, index) => `k${index}: "\${file:data/rows.csv}"`,
    );
    expect(run(text.join("\n")).found).toEqual(["LW-FILE-CHAIN 257:7 k256"]);
  });

  it("keeps null and odd keys of a JSON file", () => {
    const { value } = run("a: ${file:data/one.json}");
    expect(JSON.stringify(value)).toBe(
      '{"a":{"product":null,"__proto__":1,"n":1.5,"s":"$${secret:KEY}"}}',
    );
    expect(({} as { readonly n?: unknown }).n).toBeUndefined();
  });

  it("gives the nodes of a file the path of their place", () => {
    const { node } = run("examples: ${file:data/lines.jsonl}");
    const examples = node?.kind === "map" ? node.entries.get("examples")?.value : undefined;
    expect(examples?.kind === "list" && examples.items[1]).toMatchObject({
      path: "examples[1]",
      file: "specs/a.yaml",
      line: 1,
    });
  });
});

describe("nothing is scanned twice", () => {
  it("keeps what a variable or file says as literal text", () => {
    const { value } = run(
      'a: "${env:TRICK}"\nb: "${file:prompt.md}"\nheaders: "${env:TRICK} ${secret:KEY}"',
      { runId: "r1" },
    );
    const { a, b, headers } = value as { a: string; b: string; headers: string };
    const finish = (text: string): string =>
      resolveSecrets(resolveRunId(text, "r1"), { KEY: "hidden" }).text;
    expect(finish(a)).toBe("${secret:KEY} ${run:id} ${env:NAME} $${x}");
    expect(finish(b)).toBe("Hello {{ inputs.name }} ${env:NAME} ${secret:KEY}\n");
    expect(finish(headers)).toBe("${secret:KEY} ${run:id} ${env:NAME} $${x} hidden");
  });

  it("refuses pieces that form a reference only together", () => {
    for (const text of [
      'headers: "${env:DOLLAR}{secret:KEY}"',
      'headers: "${env:HALF}:KEY}"',
      'headers: "${env:DOLLAR}${secret:KEY}"',
    ]) {
      expect(run(text).found).toEqual(["LW-SUBST-SYNTAX 1:10 headers"]);
    }
  });

  it("never lets a variable reach a secret", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("$", "{", "secret:", "KEY", "}", "run:id", "x"), { maxLength: 8 }),
        (pieces) => {
          const inserted = pieces.join("");
          const { value, diagnostics } = run('headers: "<${env:V}>"', { env: { V: inserted } });
          expect(diagnostics.items).toEqual([]);
          const text = (value as { headers: string }).headers;
          expect(resolveSecrets(resolveRunId(text, "r1"), { KEY: "hidden" })).toEqual({
            text: `<${inserted}>`,
            secrets: [],
            missing: [],
          });
        },
      ),
    );
  });
});

describe("what is refused", () => {
  it.each<[string, string, string]>([
    ["an unset variable", "b: 1\na: ${env:NONE}", "LW-SUBST-UNSET 2:4 a"],
    ["an inherited property as variable", "a: ${env:constructor}", "LW-SUBST-UNSET 1:4 a"],
    ["a secret in an open field", "task: use ${secret:KEY}", "LW-SUBST-SECRET-PLACE 1:7 task"],
    ["an unknown kind", "a: ${HOME}", "LW-SUBST-UNKNOWN 1:4 a"],
    ["an open brace", "a: ${env:NAME", "LW-SUBST-SYNTAX 1:4 a"],
    ["a bad name", "a: ${env:A-B}", "LW-SUBST-SYNTAX 1:4 a"],
    ["another field of the run", "a: ${run:name}", "LW-SUBST-UNKNOWN 1:4 a"],
    ["a secret with a default", "headers: ${secret:A:-b}", "LW-SUBST-SYNTAX 1:10 headers"],
    ["a missing file", "a: ${file:none.md}", "LW-FILE-MISSING 1:4 a"],
    ["a folder", "a: ${file:data}", "LW-FILE-UNREADABLE 1:4 a"],
    ["a path out of the root", "a: ${file:../../etc/passwd}", "LW-FILE-OUTSIDE-ROOT 1:4 a"],
    ["an absolute path", "a: ${file:/etc/passwd}", "LW-FILE-OUTSIDE-ROOT 1:4 a"],
    ["a link out of the root", "a: ${file:link.txt}", "LW-FILE-OUTSIDE-ROOT 1:4 a"],
    ["UTF-16", "a: ${file:utf16.txt}", "LW-FILE-ENCODING 1:4 a"],
    ["a table that is no text", "a: ${file:data/rows.xlsx}", "LW-FILE-UNSUPPORTED 1:4 a"],
    ["a malformed table", "a: ${file:data/bad.csv}", "LW-FILE-FORMAT 2:3 "],
    ["malformed JSON", "a: ${file:data/bad.json}", "LW-FILE-FORMAT 1:9 "],
    ["a malformed line of JSON", "a: ${file:data/bad.jsonl}", "LW-FILE-FORMAT 2:12 "],
    ["JSON nested too deep", "a: ${file:data/deep.json}", "LW-YAML-DEPTH 1:1 "],
    ["faulty YAML, at its own place", "a: ${file:data/bad.yaml}", "LW-YAML-DUPLICATE-KEY 2:1 "],
  ])("refuses %s", (_name, text, expected) => {
    expect(run(text).found).toEqual([expected]);
  });

  it("says how to mend it", () => {
    expect(run("a: ${HOME}").diagnostics.items[0]?.suggestion).toBe(
      "write ${env:HOME}, or $${HOME} for the literal text",
    );
    expect(run("a: ${evn:NAME}").diagnostics.items[0]?.suggestion).toBe("did you mean `env`?");
    expect(run("a: ${env:NAEM}").diagnostics.items[0]?.suggestion).toBe("did you mean `NAME`?");
    expect(run("a: ${env:OTHERTHING}").diagnostics.items[0]?.suggestion).toBe(
      "set it, or give a default: ${env:OTHERTHING:-value}",
    );
  });

  it("warns only, where that is asked for", () => {
    const { diagnostics, value } = run("a: ${env:NONE}", { severityOfUnset: "warning" });
    expect(diagnostics.items.map((item) => item.severity)).toEqual(["warning"]);
    expect(value).toEqual({ a: "${env:NONE}" });
  });
});

describe("resolving later", () => {
  it("tells which secrets went in and which are missing", () => {
    expect(resolveSecrets("Bearer ${secret:A}/${secret:B}/${secret:A}", { A: "s3cret" })).toEqual({
      text: "Bearer s3cret//s3cret",
      secrets: ["s3cret"],
      missing: ["B"],
    });
  });

  it("does not look into a secret", () => {
    expect(resolveSecrets("${secret:A}", { A: "${secret:B}", B: "no" }).text).toBe("${secret:B}");
  });
});

it("stays linear", () => {
  const started = performance.now();
  for (const text of [
    "${".repeat(200_000),
    "$".repeat(400_000),
    "$${".repeat(200_000),
    "${env:NAME}".repeat(50_000),
    "${env:".repeat(100_000),
  ]) {
    const diagnostics = new Diagnostics();
    substitute(nodeFromJson(text, { file: "a.yaml", line: 1, column: 1 }, "a"), {
      env,
      root,
      diagnostics,
      secretAllowed: () => true,
    });
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});
