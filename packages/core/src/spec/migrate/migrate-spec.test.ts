import { describe, expect, it } from "vitest";
import { isMap, isScalar, visit, type Document } from "yaml";
import type { Migration } from "./migration.ts";
import { migrateSpec } from "./migrate-spec.ts";

// A pretend older language: `agent` was called `strategy`, and every `steps` was a bare number where a map stands now.
const renamesAgent: Migration = {
  from: "loopwright/v-1",
  to: "loopwright/v0",
  summary: "`agent` is called `strategy`",
  apply: (document) => {
    renameKey(document, "agent", "strategy");
  },
};
const wrapsSteps: Migration = {
  from: "loopwright/v0",
  to: "loopwright/v1",
  summary: "`steps: 3` is written `limits: { most: 3 }`",
  apply: (document) => {
    visit(document, {
      Pair(_key, pair) {
        if (!isScalar(pair.key) || pair.key.value !== "steps") return;
        pair.key.value = "limits";
        const map = document.createNode({});
        map.add(document.createPair("most", pair.value));
        map.flow = true;
        pair.value = map;
      },
    });
  },
};

function renameKey(document: Document, from: string, to: string): void {
  const root: unknown = document.contents;
  const pair = isMap(root)
    ? root.items.find(({ key }) => isScalar(key) && key.value === from)
    : undefined;
  if (isScalar(pair?.key)) pair.key.value = to;
}

const steps = [wrapsSteps, renamesAgent];
const old = `# an old spec
apiVersion: "loopwright/v-1" # old
name: a

# what it does
agent:
  # few steps
  - react: { steps: 3 } # enough
  - direct
`;

describe("migrateSpec", () => {
  it("goes through every step and keeps comments and quotes", () => {
    const migrated = migrateSpec(old, steps);
    expect(migrated).toEqual({
      ok: true,
      from: "loopwright/v-1",
      to: "loopwright/v1",
      steps: [renamesAgent.summary, wrapsSteps.summary],
      text: `# an old spec
apiVersion: "loopwright/v1" # old
name: a

# what it does
strategy:
  # few steps
  - react: { limits: { most: 3 } } # enough
  - direct
`,
    });
  });

  it("begins where the spec is", () => {
    const migrated = migrateSpec("apiVersion: loopwright/v0\nsteps: 2\n", steps);
    expect(migrated).toMatchObject({
      text: "apiVersion: loopwright/v1\nlimits: { most: 2 }\n",
      steps: [wrapsSteps.summary],
    });
  });

  it("leaves a spec of the present version as it is, byte for byte", () => {
    const text = "\ufeffapiVersion:   loopwright/v1\r\nname: {a:   1}\r\n";
    expect(migrateSpec(text, steps)).toMatchObject({ ok: true, text, steps: [] });
    expect(migrateSpec(text)).toMatchObject({ ok: true, text, steps: [] });
  });

  it("keeps CRLF and a byte-order mark", () => {
    const migrated = migrateSpec(`\ufeff${old.replaceAll("\n", "\r\n")}`, steps);
    if (!migrated.ok) throw new Error(migrated.message);
    expect(migrated.text.startsWith("\ufeff# an old spec\r\n")).toBe(true);
    expect(migrated.text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    ["name: a\n", /no `apiVersion`/, 1, 1],
    [
      "name: a\napiVersion: loopwright/v7\n",
      /this version reads `loopwright\/v0`, `loopwright\/v-1`, `loopwright\/v1`/,
      2,
      13,
    ],
    ["a: [\n", /never closed/, 1, 4],
    ["apiVersion: 1\n", /no `apiVersion`/, 1, 1],
  ])("refuses %j", (text, message, line, column) => {
    expect(migrateSpec(text, steps)).toMatchObject({
      ok: false,
      line,
      column,
      message: expect.stringMatching(message) as string,
    });
  });

  it("refuses steps that lead in a circle or nowhere", () => {
    const circle = [
      { ...wrapsSteps, to: "loopwright/v-1" },
      { ...renamesAgent, to: "loopwright/v0" },
    ];
    expect(migrateSpec(old, circle)).toMatchObject({ ok: false, line: 2 });
    expect(migrateSpec(old, [renamesAgent])).toMatchObject({ ok: false, line: 2 });
  });

  it("writes nothing that would read as something else", () => {
    const breaks: Migration = {
      ...wrapsSteps,
      apply: (document) => document.set("b", null),
    };
    expect(migrateSpec("apiVersion: loopwright/v0\n", [breaks])).toMatchObject({ ok: false });
  });
});
