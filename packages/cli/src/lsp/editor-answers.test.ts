import { mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { complete } from "./completion.ts";
import { definitionAt } from "./definition.ts";
import { hover } from "./hover.ts";
import { OpenSpec } from "./open-spec.ts";
import { Projects } from "./projects.ts";
import { otherFiles, rename, renameRange } from "./rename.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-editor-")));
writeFileSync(join(folder, "package.json"), "{}");
const file = join(folder, "spec.yaml");
const project = await new Projects({ discovery: false }).of(file);

const HEAD = "apiVersion: loopwright/v1\nname: example\n";
const DESK = `${HEAD}task: Add.
inputs: { city: string, days: integer }
model: ollama/small
models:
  judge: { use: ollama/big, fallback: [default] }
tools: [calculator, http-get]
memory: { lessons: { use: file, path: l.jsonl } }
strategy:
  - recall: { from: lessons }
  - react: { id: work, maxSteps: 4 }
  - verify: { model: judge, maxRounds: 1, revise: refine }
  - ask: { question: "Is {{ results.work.text }} right?", onTimeout: continue }
  - direct: { id: last, when: 'results.work.ran && results.ask.answered' }
output: { fields: { sum: number } }
overlays:
  fast: { stages: { work: { maxSteps: 2 } }, stages-: [last] }
`;

const OFFICE = `${HEAD}task: Add.
model: ollama/small
tools:
  sums: { use: calculator }
  slow: { use: calculator, fallback: sums }
memory:
  notes: { use: file, path: n.jsonl }
strategy:
  - recall: { from: notes }
  - parallel:
      branches:
        left: { react: { tools: [sums] } }
        right: { react: { id: inner, tools: { sums: { timeout: 2s } } } }
      combine:
        - direct: { instructions: "{{ results.left.text }}", when: 'results.left.ran' }
        - direct: { when: 'results.inner.ran' }
switches: { thrift: { tools: [sums] } }
overlays: { fast: { tools-: [slow] } }
`;

function specOf(text: string, at: string = file): OpenSpec {
  return new OpenSpec(TextDocument.create(pathToFileURL(at).href, "yaml", 1, text));
}

/** A text with a `▮`, read as the editor has it: what was checked is the text before the last change. */
async function opened(marked: string, checked: string = DESK): Promise<[OpenSpec, number]> {
  const spec = specOf(marked.replace("▮", ""));
  spec.keep(await project.app.check({ text: checked, file }, { root: folder }));
  return [spec, marked.indexOf("▮")];
}

async function labels(marked: string): Promise<readonly string[]> {
  const [spec, offset] = await opened(marked);
  return complete(spec, offset, project).map(({ label }) => label);
}

/** The desk, with a line in place of its `strategy` and a `▮` in that. */
function desk(strategy: string): string {
  return DESK.replace(/strategy:\n(?: {2}.*\n)+/u, `strategy:\n${strategy}\n`);
}

describe("completion", () => {
  const wanted: readonly (readonly [name: string, text: string, labels: readonly string[]])[] = [
    ["keys of a spec", `${HEAD}mod▮`, ["model", "models", "memory"]],
    ["keys of limits", `${HEAD}limits: { ▮ }`, ["modelCalls", "usd", "time"]],
    ["strategies", desk("  - re▮"), ["react", "recall", "refine", "verify"]],
    [
      "options, slots and settings",
      desk("  - verify: { ▮ }"),
      ["checks", "revise", "when", "model"],
    ],
    [
      "options of a stage in a slot",
      desk("  - loop:\n      do:\n        - react:\n            ▮"),
      ["maxSteps"],
    ],
    ["words of an option", desk("  - ask: { question: x, onTimeout: ▮ }"), ["stop", "continue"]],
    ["true and false", desk("  - react: { always: ▮ }"), ["true", "false"]],
    [
      "roles and providers",
      desk("  - direct: { model: ▮ }"),
      ["judge", "none", "ollama/", "openai/"],
    ],
    ["tools of the spec", desk("  - react: { tools: [▮] }"), ["calculator", "http-get"]],
    ["words beside lists of tools", desk("  - react: { tools: ▮ }"), ["read", "none", "all"]],
    ["installed tools", `${HEAD}tools: [▮]`, ["calculator", "http-get", "read-file"]],
    [
      "policies of a tool",
      `${HEAD}tools:\n  calculator:\n    ▮`,
      ["approval", "timeout", "maxResult"],
    ],
    [
      "options of the tool that is used",
      `${HEAD}tools:\n  weather:\n    use: http-get\n    ▮`,
      ["url", "headers"],
    ],
    ["checks", desk("  - verify: { checks: [▮] }"), ["evidence", "constraints"]],
    ["sinks", `${HEAD}sinks:\n  - ▮`, ["console", "jsonl"]],
    ["kinds of memory", `${HEAD}memory:\n  lessons: { use: ▮ }`, ["file", "in-process"]],
    ["memories of the spec", desk("  - recall: { from: ▮ }"), ["lessons"]],
    [
      "stages in an overlay",
      DESK.replace("stages: { work", "stages: { ▮"),
      ["work", "last", "verify"],
    ],
    [
      "stages that an overlay takes out",
      DESK.replace("stages-: [last]", "stages-: [▮]"),
      ["work", "last"],
    ],
    [
      "the state in an expression",
      desk("  - direct: { when: '▮' }"),
      ["verdict", "results", "inputs"],
    ],
    [
      "fields of the state",
      desk("  - direct: { when: '!verdict.▮' }"),
      ["passed", "outcome", "needsEvidence"],
    ],
    ["stages in an expression", desk("  - direct: { when: 'results.▮' }"), ["work", "ask", "last"]],
    [
      "inputs in a template",
      DESK.replace("task: Add.", 'task: "In {{ inputs.▮ }}"'),
      ["city", "days"],
    ],
    ["fields of the output", desk("  - direct: { when: answer.value.▮ }"), ["sum"]],
    [
      "an item of a list in a template",
      desk('  - ask: { question: "{{# plan.steps }}{{ item.▮ }}{{/ plan.steps }}" }'),
      ["objective", "status"],
    ],
    [
      "the state where an expression is empty",
      desk("  - direct: { when: ▮ }"),
      ["verdict", "results", "inputs"],
    ],
    [
      "the state where an expression is empty on its line",
      desk("  - direct:\n      when: ▮"),
      ["verdict", "results", "inputs"],
    ],
    ["types of fields", `${HEAD}inputs: { city: ▮ }`, ["string", "integer?"]],
    ["patches", `${HEAD}overlays:\n  fast:\n    ▮`, ["stages", "stages-", "tools+", "model"]],
  ];
  for (const [name, text, found] of wanted) {
    it(`offers ${name}`, async () => {
      expect(await labels(text)).toEqual(expect.arrayContaining([...found]));
    });
  }

  it("offers the options of the stage that an overlay changes, and of no other", async () => {
    const found = await labels(DESK.replace("work: { maxSteps: 2 }", "work: { ▮ }"));
    expect(found).toEqual(expect.arrayContaining(["maxSteps", "when", "tools+", "instructions"]));
    for (const key of ["maxRounds", "checks", "question", "branches", "id"])
      expect(found).not.toContain(key);
    const verify = await labels(DESK.replace("work: { maxSteps: 2 }", "verify: { revise: { ▮ } }"));
    expect(verify).toContain("refine");
    const unknown = await labels(DESK.replace("work: { maxSteps: 2 }", "nowhere: { ▮ }"));
    expect(unknown).toEqual(expect.arrayContaining(["maxSteps", "question"]));
  });

  it("offers the options of a stage of the base that a file changes", async () => {
    writeFileSync(join(folder, "lower.yaml"), DESK);
    const child = "apiVersion: loopwright/v1\nname: child\nextends: ./lower.yaml\n";
    const [spec, offset] = await opened(`${child}stages:\n  ask:\n    ▮\n`, child);
    const found = complete(spec, offset, project).map(({ label }) => label);
    expect(found).toContain("question");
    expect(found).not.toContain("maxSteps");
  });

  it("offers no key twice, and none in a comment or in text", async () => {
    expect(await labels("name: x\n▮")).not.toContain("name");
    expect(await labels("name: x # ▮")).toEqual([]);
    expect(await labels(`${HEAD}task: "Add ▮"`)).toEqual([]);
    expect(await labels(desk("  - direct: { when: \"answer.text == '▮'\" }"))).toEqual([]);
  });

  it("offers an agent's own stages while nothing was checked yet", () => {
    const spec = specOf(`${HEAD}models: { judge: ollama/big }\nstrategy: { direct: { model:  } }`);
    const items = complete(spec, spec.text.length - 3, project);
    expect(items.map(({ label }) => label)).toContain("judge");
  });

  it("replaces the word under the cursor", async () => {
    const [spec, offset] = await opened(desk("  - react: { maxS▮teps: 3 }"));
    const item = complete(spec, offset, project).find(({ label }) => label === "maxSteps");
    expect(item?.textEdit).toMatchObject({ newText: "maxSteps" });
  });
});

describe("hover", () => {
  const wanted: readonly (readonly [name: string, text: string, says: readonly string[]])[] = [
    [
      "an option",
      desk("  - react: { max▮Steps: 3 }"),
      ["whole number from 1 to 100", "Default: 8"],
    ],
    ["a strategy", desk("  - ver▮ify: {}"), ["Verifies the answer"]],
    ["a strategy that is one word", desk("  - ref▮ine"), ["`refine`"]],
    ["a key of the spec", DESK.replace("task:", "ta▮sk:"), ["What to do"]],
    ["a role", DESK.replace("model: judge", "model: ju▮dge"), ["judge", "role"]],
    [
      "a state path",
      desk("  - direct: { when: verdict.pas▮sed }"),
      ["verdict.passed", "true or false"],
    ],
    [
      "a whole state path from its first name",
      desk("  - direct: { when: '!ver▮dict.passed' }"),
      ["`verdict`: a map", "`verdict.passed`: true or false"],
    ],
    [
      "a state path with a name in brackets",
      DESK.replace(
        "id: last, when: 'results.work.ran",
        `id: last, when: 'results["ask"].answ▮ered`,
      ),
      ["results.ask.answered", "true or false"],
    ],
    [
      "an option in an overlay",
      DESK.replace("work: { maxSteps", "work: { max▮Steps"),
      ["whole number from 1 to 100"],
    ],
    [
      "an input",
      DESK.replace("task: Add.", 'task: "{{ inputs.da▮ys }}"'),
      ["inputs.days", "number"],
    ],
  ];
  for (const [name, text, says] of wanted) {
    it(`explains ${name}`, async () => {
      const [spec, offset] = await opened(text);
      const found = JSON.stringify(hover(spec, offset, project));
      for (const words of says) expect(found).toContain(words);
    });
  }

  it("says nothing where nothing stands", async () => {
    const [spec, offset] = await opened(`${DESK}\n▮`);
    expect(hover(spec, offset, project)).toBeUndefined();
  });
});

describe("go to definition", () => {
  const wanted: readonly (readonly [name: string, text: string, line: string])[] = [
    ["a role", DESK.replace("model: judge", "model: ju▮dge"), "  judge: {"],
    ["a memory", DESK.replace("from: lessons", "from: less▮ons"), "memory: {"],
    [
      "a stage in an expression",
      DESK.replace("'results.work", "'results.wo▮rk"),
      "  - react: { id: work",
    ],
    [
      "a stage in a template",
      DESK.replace("{{ results.work", "{{ results.wo▮rk"),
      "  - react: { id: work",
    ],
    [
      "a stage called after its strategy",
      DESK.replace("results.ask", "results.as▮k"),
      "  - ask: {",
    ],
    [
      "a stage in an overlay",
      DESK.replace("stages: { work", "stages: { wo▮rk"),
      "  - react: { id: work",
    ],
    ["a tool", desk("  - react: { tools: [calcu▮lator] }"), "tools: [calculator"],
    ["an input", DESK.replace("task: Add.", 'task: "{{ inputs.da▮ys }}"'), "inputs: {"],
    [
      "a tool that stands in for another",
      OFFICE.replace("fallback: sums", "fallback: su▮ms"),
      "  sums: {",
    ],
    [
      "a branch in a template",
      OFFICE.replace("{{ results.left", "{{ results.le▮ft"),
      "        left: {",
    ],
    [
      "a branch in an expression",
      OFFICE.replace("'results.left", "'results.le▮ft"),
      "        left: {",
    ],
    [
      "a stage beside branches",
      OFFICE.replace("'results.inner", "'results.in▮ner"),
      "        right: {",
    ],
  ];
  for (const [name, text, line] of wanted) {
    it(`finds ${name}`, async () => {
      const [spec, offset] = await opened(text, text.replace("▮", ""));
      const found = definitionAt(spec, offset, project);
      expect(spec.text.split("\n")[found?.range.start.line ?? -1]).toMatch(line.slice(0, 30));
    });
  }

  it("finds the files that paths name", async () => {
    writeFileSync(join(folder, "base.yaml"), `${HEAD}strategy: direct\n`);
    writeFileSync(join(folder, "prompt.md"), "Think.");
    const uri = pathToFileURL(join(folder, "base.yaml")).href;
    const [child, at] = await opened("name: child\nextends: ./ba▮se.yaml\n");
    expect(definitionAt(child, at, project)?.uri).toBe(uri);
    const [text, inside] = await opened(desk('  - direct: { prompt: "${file:pro▮mpt.md}" }'));
    expect(definitionAt(text, inside, project)?.uri).toContain("prompt.md");
  });

  it("finds what a base defines", async () => {
    writeFileSync(
      join(folder, "roles.yaml"),
      `${HEAD}models: { judge: ollama/big }\nmodel: ollama/s\n`,
    );
    const text =
      "apiVersion: loopwright/v1\nname: child\nextends: ./roles.yaml\nstrategy: { direct: { model: ju▮dge } }\n";
    const [spec, offset] = await opened(text, text.replace("▮", ""));
    expect(definitionAt(spec, offset, project)?.uri).toContain("roles.yaml");
  });
});

describe("rename", () => {
  async function renamed(marked: string, wanted: string): Promise<string> {
    const [spec, offset] = await opened(marked, marked.replace("▮", ""));
    const { changes = {} } = rename(spec, offset, wanted, project, []);
    return TextDocument.applyEdits(spec.document, changes[spec.uri] ?? []);
  }

  it("changes a stage everywhere: its id, expressions, templates, overlays", async () => {
    const text = await renamed(DESK.replace("id: work", "id: wo▮rk"), "act");
    expect(text).toBe(DESK.replaceAll(/\bwork\b/gu, "act"));
  });

  it("puts an id with a dash into brackets in an expression", async () => {
    const text = await renamed(DESK.replace("id: work", "id: wo▮rk"), "hard-work");
    expect(text).toContain(`'results["hard-work"].ran && results.ask`);
    expect(text).toContain("{{ results.hard-work.text }}");
  });

  it("gives an id to a stage that is called after its strategy", async () => {
    const text = await renamed(DESK.replace("results.ask", "results.as▮k"), "confirm");
    expect(text).toContain("- ask: { id: confirm, question:");
    expect(text).toContain("results.confirm.answered");
  });

  it("gives an id to such a stage from its own key, and follows it into overlays", async () => {
    const text = DESK.replace("work: { maxSteps: 2 }", "verify: { maxRounds: 2 }");
    const wanted = text
      .replace("verify: { model", "verify: { id: judged, model")
      .replace("verify: { maxRounds", "judged: { maxRounds");
    expect(await renamed(text.replace("- verify", "- ver▮ify"), "judged")).toBe(wanted);
    expect(await renamed(text.replace("{ verify", "{ ver▮ify"), "judged")).toBe(wanted);
    const block = desk("  - ask:\n      question: x\n  - direct: { when: results.ask.answered }");
    expect(await renamed(block.replace("- ask", "- as▮k"), "confirm")).toContain(
      "  - ask:\n      id: confirm\n      question: x\n  - direct: { when: results.confirm.answered }",
    );
    await expect(renamed(DESK.replace("- react: { id", "- rea▮ct: { id"), "act")).rejects.toThrow(
      "only stages",
    );
  });

  it("changes a role with its uses in stages, fallbacks and extensions", async () => {
    const marked = DESK.replace("judge: {", "ju▮dge: {").replace(
      "tools:",
      "  strict: { extends: judge, temperature: 0 }\n  other: { use: ollama/x, fallback: [judge] }\ntools:",
    );
    const text = await renamed(marked, "critic");
    expect(text).toBe(marked.replace("▮", "").replaceAll(/\bjudge\b/gu, "critic"));
  });

  it.each([
    ["a tool", "  sums: {", "  su▮ms: {", "sums", "adding"],
    ["a tool from its use", "fallback: sums", "fallback: su▮ms", "sums", "adding"],
    ["a memory", "from: notes", "from: no▮tes", "notes", "lessons"],
  ])("changes %s everywhere", async (_, said, marked, name, wanted) => {
    const text = await renamed(OFFICE.replace(said, marked), wanted);
    expect(text).toBe(OFFICE.replaceAll(new RegExp(`\\b${name}\\b`, "gu"), wanted));
  });

  it("changes a branch with what reads its result", async () => {
    const text = await renamed(OFFICE.replace("        left:", "        le▮ft:"), "first-way");
    expect(text).toContain("        first-way: {");
    expect(text).toContain("{{ results.first-way.text }}");
    expect(text).toContain(`'results["first-way"].ran'`);
    expect(text).not.toContain("left");
    await expect(
      renamed(OFFICE.replace("        left:", "        le▮ft:"), "inner"),
    ).rejects.toThrow("a stage called `inner`");
    await expect(renamed(OFFICE.replace("id: inner", "id: in▮ner"), "left")).rejects.toThrow(
      "a branch called `left`",
    );
  });

  it("says how a tool gets a name where it is called by the id of its plugin", async () => {
    const marked = DESK.replace("tools: [calculator", "tools: [calcu▮lator");
    await expect(renamed(marked, "sums")).rejects.toThrow(
      "write `tools: { NAME: { use: calculator } }`",
    );
  });

  it("changes the files that the spec is built on", async () => {
    const at = join(folder, "stages.yaml");
    writeFileSync(at, `${HEAD}task: Add.\nmodel: ollama/s\nstrategy: { direct: { id: first } }\n`);
    const text =
      "apiVersion: loopwright/v1\nname: child\nextends: ./stages.yaml\nstages: { fir▮st: { model: ollama/t } }\n";
    const [spec, offset] = await opened(text, text.replace("▮", ""));
    const others = otherFiles(spec, project).map((one) => specOf(readFileSync(one, "utf8"), one));
    const { changes = {} } = rename(spec, offset, "one", project, others);
    expect(
      Object.keys(changes)
        .map((uri) => fileURLToPath(uri))
        .toSorted(),
    ).toEqual([file, at].toSorted());
  });

  it("refuses names that are taken or can't be, and what is no name that the spec gives", async () => {
    const marked = DESK.replace("id: work", "id: wo▮rk");
    await expect(renamed(marked, "last")).rejects.toThrow("called `last` already");
    await expect(renamed(marked, "Not_Kebab")).rejects.toThrow("kebab-case");
    await expect(renamed(DESK.replace("maxRounds", "max▮Rounds"), "x")).rejects.toThrow(
      "only stages, roles, tools, memories and branches",
    );
    const [spec, offset] = await opened(DESK.replace("maxRounds", "max▮Rounds"));
    expect(renameRange(spec, offset, project)).toBeUndefined();
  });
});

describe("any document", () => {
  const gallery = new URL("../../../../fixtures/gallery/", import.meta.url);
  const specs = new URL("../../../../specs/", import.meta.url);
  const texts = [gallery, specs].flatMap((from) =>
    readdirSync(from)
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => [name, readFileSync(new URL(name, from), "utf8")] as const),
  );
  for (const [name, text] of texts) {
    it(`is answered wherever ${name} breaks off`, () => {
      for (let offset = 0; offset <= text.length; offset += 23) {
        const half = specOf(text.slice(0, offset));
        const cut = specOf(text.slice(0, offset) + text.slice(offset + 5));
        for (const spec of [half, cut]) {
          complete(spec, offset, project);
          hover(spec, offset, project);
          definitionAt(spec, Math.max(0, offset - 1), project);
        }
      }
    });
  }
});
