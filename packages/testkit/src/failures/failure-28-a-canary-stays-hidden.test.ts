import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, explainProgram, formatExplain, type RunEvent } from "@loopwright/core";
import {
  defineProvider,
  defineTool,
  ProviderError,
  secret,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { type ScriptedReply, scriptedProvider } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtIn, packageOf, specOf } from "../promises/run-scripted.ts";

// langflow#8011, hermes#72925: a key shows up where somebody looks later. Promise 7 holds the ways into a run one by one;
// here one run takes all of them and leaves every kind of record.

const CANARY = 'canary/"4711"-in-a-coal-mine';
const MARK = "coal-mine";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-canary-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A tool that holds the key, and does with it what its argument asks for. */
const leaky = defineTool({
  id: "leaky",
  description: "Uses a key.",
  options: Type.Object({ key: secret() }),
  input: Type.Object({ way: Type.String(), note: Type.Optional(Type.String()) }),
  effect: "idempotent",
  create:
    ({ key }) =>
    async ({ way }, { askPerson }) => {
      switch (way) {
        case "retry":
          throw new ToolError("tool-failed", `no access with ${key}`, { retryable: true });
        case "ask":
          return (await askPerson({ question: `Is ${key} right?` })).reply;
        case "cause":
          throw new Error("request failed", { cause: new Error(`header: Bearer ${key}`) });
        default:
          return { headers: { authorization: `Bearer ${key}` }, [key]: way };
      }
    },
});

const calls = (...ways: readonly string[]): ScriptedReply => ({
  calls: ways.map((way) => ({ name: "leaky", arguments: { way, note: `with ${CANARY}` } })),
});

const TOOL = `leaky: { key: "\${secret:SHOP_PASS}", approval: always, reason: "it uses a key", retry: { attempts: 2, first: 1ms, max: 2ms } }`;
const INNER = `apiVersion: loopwright/v1
name: inner
model: stub/model
task: Look it up.
tools: { ${TOOL} }
strategy: { react: { maxSteps: 3 } }
`;
const OUTER = `tools: { ${TOOL}, inner: { use: agent, spec: inner.yaml, approval: never } }
strategy: [{ react: { maxSteps: 4 } }, direct]
output:
  fields: { total: integer }
  repair: 1
  deadLetter: dead.jsonl
sinks: [{ jsonl: { path: log.jsonl } }]
`;

const MODEL = 'model: { use: stub/model, apiKey: "${secret:SHOP_PASS}" }\n';

/** Opens an app whose model says the key at every turn, and never what fits. */
async function openLeakyApp() {
  const model = scriptedProvider("stub", ({ key, tools, messages }) => {
    const isFirst = messages.every(({ role }) => role !== "tool");
    if (key.includes("/call:")) {
      if (isFirst) return calls("retry", "ask", "cause");
      return { text: `the key is ${CANARY}`, reasoning: `I saw ${CANARY}` };
    }
    if (tools.length > 0 && isFirst) {
      const own = calls("retry", "ask", "output").calls ?? [];
      return { calls: [...own, { name: "inner", arguments: {} }] };
    }
    return `{"total": "${CANARY}"}`;
  });
  return createApp({
    plugins: [...builtIn, packageOf([model, leaky])],
    discovery: false,
    root,
    env: { SHOP_PASS: CANARY },
  });
}

/** Every file that the run left in the project, but its specs. */
async function filesLeft(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(root)).filter((name) => !name.endsWith(".yaml"));
  const texts = await Promise.all(names.map((name) => readFile(join(root, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

describe("a canary in the environment, arguments, headers and errors", () => {
  it("appears in no event, log, dead letter, question, error or outcome", async () => {
    await writeFile(join(root, "inner.yaml"), INNER);
    const file = join(root, "outer.yaml");
    await writeFile(file, specOf(OUTER));
    const app = await openLeakyApp();
    const program = await app.compile({ file });
    const run = app.start(program, {}, { origin: { row: `1 ${CANARY}` } });
    const events: RunEvent[] = [];
    const asked: unknown[] = [];
    run.on("*", (event) => {
      events.push(event);
      asked.push(...run.pending());
      if (event.name === "approval.requested")
        run.respond(event.data.id, { approved: true, reason: `yes, ${CANARY}` });
      if (event.name === "question.asked") run.respond(event.data.id, { reply: `it is ${CANARY}` });
    });
    const outcome = await run.outcome;
    await app.close();
    const files = await filesLeft();
    expect(Object.keys(files).toSorted()).toEqual(["dead.jsonl", "log.jsonl"]);
    const names = new Set(events.map(({ name }) => name));
    for (const name of [
      "tool.retried",
      "approval.given",
      "question.answered",
      "output.dead-lettered",
    ])
      expect(names).toContain(name);
    const everything: Readonly<Record<string, string>> = {
      ...files,
      events: JSON.stringify(events),
      outcome: JSON.stringify(outcome),
      asked: JSON.stringify(asked),
      explain: formatExplain(explainProgram(program.program), 100),
      canonical: JSON.stringify(program.program.canonical),
      id: run.id,
    };
    for (const [place, text] of Object.entries(everything)) {
      const forms = [MARK, encodeURIComponent(CANARY)].filter((form) => text.includes(form));
      expect({ place, forms }).toEqual({ place, forms: [] });
    }
    expect(everything["events"]).toContain("[redacted]");
    expect(everything["dead.jsonl"]).toContain("[redacted]");
  });

  it("appears in no error that the host catches", async () => {
    const broken = defineProvider({
      id: "stub",
      description: "Can't be made.",
      options: Type.Object({ apiKey: secret() }),
      create: ({ apiKey }) => {
        throw new ProviderError("provider-unauthorized", `no access with ${apiKey}`);
      },
    });
    const app = await createApp({
      plugins: [...builtIn, packageOf([broken, leaky])],
      discovery: false,
      root,
      env: { SHOP_PASS: CANARY },
    });
    const caught: unknown[] = await Promise.all([
      app
        .compile({ text: specOf(`${MODEL}tools: { ${TOOL} }\nstrategy: react\n`) })
        .catch((fault) => fault),
      app
        .compile({
          text: specOf(`tools: { leaky: { key: ${JSON.stringify(CANARY)} } }\nstrategy: react\n`),
        })
        .catch((fault) => fault),
    ]);
    await app.close();
    for (const fault of caught) {
      expect(fault).toBeInstanceOf(Error);
      const { message, stack = "", cause } = fault as Error;
      for (const text of [message, stack, String(cause), JSON.stringify(fault)])
        expect(text).not.toContain(MARK);
    }
  });
});
