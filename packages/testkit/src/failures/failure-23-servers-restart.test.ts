// mastra#19862, mastra#7675, modelcontextprotocol/typescript-sdk#164: an MCP server restarts between calls, or answers 404 to
// a session that it does not know any more. One reconnect for all callers; the list is asked for again; a call is made again
// only where its effect allows; never an empty list in silence.
import { createApp, type RunEvent } from "@loopwright/core";
import { type ScriptedReply, scriptedProvider } from "@loopwright/providers";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  HttpServer,
  isAlive,
  programOptions,
  ServerLog,
} from "../../../tools/src/mcp/fixtures/test-servers.ts";
import { eventNames, unbalanced } from "../events.ts";
import { builtIn, packageOf, specOf } from "../promises/run-scripted.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";

const approve = { settings: { isPersonPresent: false } };
const never = "approval: never";

function calls(...names: readonly string[]): ScriptedReply {
  return { calls: names.map((name, index) => ({ name, arguments: { item: `${index}` } })) };
}

async function serve(log: ServerLog): Promise<HttpServer> {
  const server = new HttpServer(log);
  onTestFinished(() => server.stop());
  await server.start();
  return server;
}

/** A model that says one reply after the other; between two of them something happens. */
function saying(
  ...replies: readonly (ScriptedReply | (() => Promise<unknown>))[]
): ReturnType<typeof scriptedProvider> {
  let next = 0;
  const model = scriptedProvider("stub", () => {
    const reply = replies[next++];
    return typeof reply === "function" || reply === undefined ? "done" : reply;
  });
  return {
    ...model,
    create: (options, services) => {
      const inner = model.create(options, services);
      return {
        ...inner,
        generate: async (request, call) => {
          const happening = replies[next];
          if (typeof happening === "function") {
            await happening();
            next += 1;
          }
          return await inner.generate(request, call);
        },
      };
    },
  };
}

async function scripted(
  tools: string,
  model: ReturnType<typeof scriptedProvider>,
): Promise<SpecRun> {
  return await runSpec(specOf(`${tools}strategy: { react: { maxCallsPerStep: 8 } }\n`), {
    plugins: [...builtIn, packageOf([model])],
    ...approve,
  });
}

// Programs start slowly where much else runs.
describe("an MCP server that restarts", { timeout: 60_000 }, () => {
  it("between calls is reached by one reconnect for eight callers of two entries", async () => {
    const log = new ServerLog();
    const server = await serve(log);
    const model = saying(
      calls("first_get_item"),
      () => server.restart(),
      calls(...Array.from({ length: 4 }, () => ["first_get_item", "second_save_item"]).flat()),
    );
    const use = `use: mcp, url: "${server.url}"`;
    const { outcome, events } = await scripted(
      `tools: { first: { ${use}, only: ["get_*"] }, second: { ${use}, only: [save_item] } }\n`,
      model,
    );
    expect(outcome.outcome).toBe("done");
    expect(outcome.state.observations.map(({ tool, ok }) => `${tool} ${ok}`)).toEqual([
      "first/get_item true",
      ...Array.from({ length: 4 }, () => ["first/get_item true", "second/save_item true"]).flat(),
    ]);
    expect(log.lines("initialized")).toHaveLength(2);
    expect(log.lines("call")).toHaveLength(9);
    expect(unbalanced(events)).toEqual([]);
  });

  it("during a call that acts once does not act twice, and the model is told that nobody knows", async () => {
    const log = new ServerLog();
    const model = saying(calls("shop_wait_create"));
    const kill = async (): Promise<void> => {
      await log.until("call wait_create");
      process.kill(log.pids("started")[0] ?? 0, "SIGKILL");
    };
    const killing = kill();
    const options = JSON.stringify(programOptions(log)).slice(1, -1);
    const { outcome } = await scripted(
      `tools: { shop: { use: mcp, ${options}, ${never} } }\n`,
      model,
    );
    await killing;
    expect(outcome.state.observations[0]?.content).toMatch(/not known whether it took effect/);
    expect(log.lines("call wait_create")).toHaveLength(1);
  });

  it("or forgets its sessions is asked for its list again, in the next run", async () => {
    const log = new ServerLog();
    const server = await serve(log);
    const app = await createApp({
      plugins: [...builtIn, packageOf([scriptedProvider("stub", () => "ok")])],
      discovery: false,
      env: {},
    });
    const program = await app.compile({
      text: specOf(
        `tools: { shop: { use: mcp, url: "${server.url}" } }\nstrategy: { react: {} }\n`,
      ),
    });
    for (const initialized of [1, 2]) {
      const events: RunEvent[] = [];
      const one = app.start(program, {}, approve.settings);
      one.on("*", (event) => events.push(event));
      expect((await one.outcome).outcome).toBe("done");
      expect(eventNames(events)).toContain("tools.listed");
      const listed = events.find(({ name }) => name === "tools.listed");
      expect(listed?.data).toMatchObject({ set: "shop", dropped: 1 });
      expect(log.lines("initialized")).toHaveLength(initialized);
      await server.forget();
    }
    await app.close();
  });

  it("and does not come back fails the stage with what to do, never with an empty list", async () => {
    const log = new ServerLog();
    const server = await serve(log);
    await server.stop();
    const { outcome, events } = await scripted(
      `tools: { shop: { use: mcp, url: "${server.url}" } }\n`,
      saying(),
    );
    expect(outcome.outcome).toBe("failed");
    expect(events.find(({ name }) => name === "run.end")?.data).toMatchObject({
      fault: {
        code: "tools-unlisted",
        message: expect.stringMatching(
          /tools of `shop` \(mcp\).*ECONNREFUSED.*whether the server runs/,
        ),
      },
    });
    expect(eventNames(events)).toContain("tools.unlisted");
    expect(eventNames(events)).not.toContain("model-call.start");
  });

  it("is a program that ends with the app", async () => {
    const log = new ServerLog();
    const options = JSON.stringify(programOptions(log, "--noise")).slice(1, -1);
    const { outcome, events } = await scripted(
      `tools: { shop: { use: mcp, ${options} } }\n`,
      saying(calls("shop_get_item")),
    );
    expect(outcome.state.observations[0]).toMatchObject({ tool: "shop/get_item", ok: true });
    expect(events.find(({ name }) => name === "tools.noted")?.data).toMatchObject({
      message: expect.stringContaining("Welcome to the server"),
    });
    expect(events.find(({ name }) => name === "tool.dropped")?.data).toMatchObject({
      tool: "broken",
    });
    expect(isAlive(log.pids("started")[0] ?? 0)).toBe(false);
  });
});
