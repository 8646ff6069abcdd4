import { createApp, type PersonReply, type Run } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { scriptedProvider } from "@loopwright/providers";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";

/** Tries replies in order on the first thing that waits; notes what `respond` says, and how much waits afterwards. */
function tryReplies(live: Run, replies: readonly unknown[], said: unknown[]): void {
  const answer = ({ data }: { readonly data: { readonly id: string } }): void => {
    setImmediate(() => {
      for (const reply of replies)
        said.push([live.respond(data.id, reply as PersonReply), live.pending().length]);
    });
  };
  live.on("approval.requested", answer);
  live.on("question.asked", answer);
}

describe("a reply of the host", () => {
  it("approves only with `true`; a misfit leaves the request waiting", async () => {
    let count = 0;
    const said: unknown[] = [];
    const misfits = [
      { approved: "no" },
      { approved: 1 },
      { reply: "yes" },
      {},
      null,
      "yes",
      { answered: true },
    ];
    await runScripted("tools: [ship]\nstrategy: react\n", [calling("ship", "x"), "ok"], {
      plugins: [toolOf("ship", () => ++count, "once")],
      onRun: (live) => tryReplies(live, [...misfits, { approved: false }], said),
    });
    expect(count).toBe(0);
    expect(said).toEqual([...misfits.map(() => [false, 1]), [true, 0]]);
  });

  it("to a question is one of its options", async () => {
    const said: unknown[] = [];
    const run = await runScripted(
      "strategy:\n  - ask: { question: Which?, options: [nuts, bolts] }\n  - direct\n",
      ["ok"],
      {
        onRun: (live) =>
          tryReplies(
            live,
            [{ reply: "screws" }, { approved: true }, { reply: 1 }, { reply: "bolts" }],
            said,
          ),
      },
    );
    expect(said).toEqual([
      [false, 1],
      [false, 1],
      [false, 1],
      [true, 0],
    ]);
    expect(run.outcome.state.results["ask"]).toMatchObject({ reply: "bolts" });
  });
});

describe("a policy that loosens the approval of an effect", () => {
  it.each([
    ["tools: { ship: { approval: never } }\n", 1],
    ['tools: { ship: { approval: { when: args.item == "gold" } } }\n', 1],
    ["toolPolicy: { approval: never }\ntools: [ship, look]\n", 1],
    ["toolPolicy: { approval: never }\ntools: { ship: { approval: always } }\n", 0],
    ["tools: { ship: { approval: always }, look: { approval: never } }\n", 0],
  ])("is a warning: %s", async (tools, warned) => {
    expect(await loosened(`${tools}strategy: react\n`)).toHaveLength(warned);
  });

  it("is a warning also with --set, and says what it was", async () => {
    const [found] = await loosened("tools: { ship: {} }\nstrategy: react\n", [
      { path: "tools.ship.approval", value: "never" },
    ]);
    expect(found).toMatchObject({
      severity: "warning",
      message: expect.stringContaining(
        "loosens the approval of `ship` (was always by its effect)",
      ) as string,
    });
  });
});

async function loosened(
  body: string,
  overrides: readonly { readonly path: string; readonly value: string }[] = [],
): Promise<readonly { readonly code: string }[]> {
  const tools = [toolOf("ship", () => "", "once"), toolOf("look", () => "")];
  const app = await createApp({
    plugins: [...builtIn, packageOf([scriptedProvider("stub", []), ...tools])],
    discovery: false,
    env: {},
  });
  const { program, diagnostics } = await app.check({ text: specOf(body) }, { overrides });
  await app.close();
  expect(program).toBeDefined();
  return diagnostics.filter(({ code }) => code === "LW-TOOL-LOOSENED-APPROVAL");
}

describe("a dry run", () => {
  it("keeps no lesson in a lasting memory", async () => {
    const lesson = { trigger: "t", failurePattern: "f", lesson: "look twice", avoid: "haste" };
    const run = await runScripted(
      "memory: { lessons: { use: in-process } }\nstrategy:\n  - direct\n  - reflect: { into: lessons }\n  - recall: { from: lessons }\n",
      ["ok", { json: lesson }],
      { settings: { dryRun: true } },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(run.events.filter(({ name }) => name === "effect.stubbed")).toMatchObject([
      { data: { tool: "memory lessons", input: { lesson: "look twice" } } },
    ]);
    expect(run.events.some(({ name }) => name === "lesson.learned")).toBe(false);
    expect(run.outcome.state.lessons).toEqual([]);
  });
});

describe("options of a tool that do not fit each other", () => {
  it.each([
    ["http-get: { url: ftp://a.example }", /not an http or https address/],
    ["http-get: { headers: { a: b } }", /only with a `url`/],
    ["http-get: { input: { q: string } }", /only with a `url`/],
    ["http-get: { url: https://me:pw@a.example }", /user name/],
  ])("are errors of `check`: %s", async (tool, message) => {
    const app = await createApp({
      plugins: [...builtIn, packageOf([scriptedProvider("stub", [])])],
      discovery: false,
      env: {},
    });
    const text = specOf(`tools: { ${tool} }\nstrategy: react\n`);
    const { program, diagnostics } = await app.check({ text });
    await app.close();
    expect(program).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(["LW-TOOL-OPTIONS"]);
    expect(diagnostics[0]?.message).toMatch(message);
  });
});
