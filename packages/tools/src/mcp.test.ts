import type { JsonObject, ListedTool, ToolSet } from "@loopwright/core/plugin";
import { tempFolder, toolContext } from "@loopwright/testkit";
import { afterEach, describe, expect, it } from "vitest";
import {
  HttpServer,
  isAlive,
  machineClock,
  programOptions,
  ServerLog,
  untilGone,
} from "./mcp/fixtures/test-servers.ts";
import { mcp } from "./mcp.ts";
import { type McpConnections, openConnections } from "./shared/mcp/connections.ts";

const projectRoot = tempFolder();
const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function connect(): McpConnections {
  const connections = openConnections({ fetch, clock: machineClock });
  cleanUps.push(() => connections.close());
  return connections;
}

function setOf(options: Readonly<Record<string, unknown>>, connections = connect()): ToolSet {
  const given = { startTimeout: 30_000, ...options };
  return mcp.create(given as never, { connections, projectRoot } as never) as unknown as ToolSet;
}

interface Listed {
  readonly tools: readonly ListedTool[];
  readonly notes: readonly string[];
  readonly call: (name: string, input?: JsonObject, signal?: AbortSignal) => Promise<unknown>;
}

async function list(set: ToolSet): Promise<Listed> {
  const notes: string[] = [];
  const tools = await set.list(new AbortController().signal, (note) => notes.push(note));
  return {
    tools,
    notes,
    call: async (name, input = {}, signal = new AbortController().signal) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`${name} is not listed`);
      return await tool.run(input, toolContext({ signal }));
    },
  };
}

async function httpServer(log: ServerLog, ...flags: readonly string[]): Promise<HttpServer> {
  const server = new HttpServer(log, ...flags);
  cleanUps.push(() => server.stop());
  await server.start();
  return server;
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => "",
    (fault: Error) => fault.message,
  );

// Programs start slowly where much else runs.
const slow = { timeout: 60_000 };

describe("the tools of an MCP server", slow, () => {
  it.each(["program", "address", "address that answers in JSON"])(
    "are listed over all pages, with schemas and effects, and can be called (%s)",
    async (kind) => {
      const log = new ServerLog();
      const flags = kind.endsWith("JSON") ? ["--json"] : [];
      const options =
        kind === "program"
          ? programOptions(log)
          : { url: (await httpServer(log, ...flags)).url, headers: { authorization: "Bearer a" } };
      const { tools, notes, call } = await list(setOf(options));
      expect(log.lines("list")).toEqual(["list 0", "list 5", "list 10"]);
      expect(tools.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
        "get_item read",
        "get_pair_7 read",
        "get_pair_2020 read",
        "get_count read",
        "save_item idempotent",
        "create_item once",
        "wait read",
        "wait_save idempotent",
        "wait_create once",
        "fail read",
        "blocks read",
        "broken once",
        "variables read",
        "ask_model read",
      ]);
      expect(tools[1]?.input["$schema"]).toContain("draft-07");
      expect(notes).toEqual([]);
      expect(await call("get_item", { item: "a" })).toBe("get_item a");
      expect(await call("get_count")).toEqual({ count: 2 });
      expect(await failure(call("fail"))).toBe("the shelf is empty");
      expect(await call("blocks")).toBe(
        [
          "first",
          "[image, image/png, 3 bytes]",
          "[audio, audio/wav, 4 bytes]",
          "[a.txt: file:///a.txt] A file.",
          "[file:///b.txt]\ninside",
          "[file:///c.bin, application/x, 3 bytes]",
        ].join("\n"),
      );
      expect(log.lines("initialized")).toHaveLength(1);
    },
  );

  it("are those that the entry wants", async () => {
    const log = new ServerLog();
    const connections = connect();
    const some = await list(
      setOf({ ...programOptions(log), only: ["save_item", "get_p*"], effect: "read" }, connections),
    );
    expect(some.tools.map(({ name, effect }) => [name, effect])).toEqual([
      ["get_pair_7", "read"],
      ["get_pair_2020", "read"],
      ["save_item", "read"],
    ]);
    const none = setOf({ ...programOptions(log), only: ["git_*"] }, connections);
    expect(await failure(list(none))).toMatch(
      /`only: \[git_\*\]` fits none of the server's tools; it has get_item, /,
    );
    expect(log.lines("started")).toHaveLength(1);
  });

  it.each(["program", "address"])("can't ask back (%s)", async (kind) => {
    const log = new ServerLog();
    const options = kind === "program" ? programOptions(log) : { url: (await httpServer(log)).url };
    const { call } = await list(setOf(options));
    expect(await call("ask_model")).toMatch(/^refused/);
  });

  it("are many", async () => {
    const { tools } = await list(setOf(programOptions(new ServerLog(), "--many")));
    expect(tools).toHaveLength(254);
  });

  it("are not waited for where the list has no end", async () => {
    const log = new ServerLog();
    expect(await failure(list(setOf(programOptions(log, "--endless"))))).toBe(
      "the list of the server has no end: it lists more than 100 pages",
    );
    expect(log.lines("list")).toHaveLength(100);
  });

  it("may be none, which core tells", async () => {
    const { tools } = await list(setOf(programOptions(new ServerLog(), "--empty")));
    expect(tools).toEqual([]);
  });

  it("end when their call is aborted, and the server hears of it", async () => {
    for (const kind of ["program", "address"]) {
      const log = new ServerLog();
      const options =
        kind === "program" ? programOptions(log) : { url: (await httpServer(log)).url };
      const { call } = await list(setOf(options));
      const aborter = new AbortController();
      const waiting = failure(call("wait", {}, aborter.signal));
      await log.until("call wait");
      aborter.abort(new Error("enough"));
      expect(await waiting).toBe("enough");
      await log.until("cancelled");
      expect(await call("get_item", { item: "a" })).toBe("get_item a");
      expect(log.lines("initialized")).toHaveLength(1);
    }
  });
});

describe("the program of an MCP server", slow, () => {
  it("is started when tools are wanted, once for all entries, and ended with what it started", async () => {
    const log = new ServerLog();
    const connections = connect();
    const [first, second] = [1, 2].map(() =>
      setOf(programOptions(log, "--grandchild"), connections),
    );
    expect(log.lines()).toEqual([]);
    await Promise.all([first, second].map((set) => list(set as ToolSet)));
    const [pid = 0] = log.pids("started");
    await log.until("grandchild");
    const [grandchild = 0] = log.pids("grandchild");
    expect(log.lines("started")).toHaveLength(1);
    expect([isAlive(pid), isAlive(grandchild)]).toEqual([true, true]);
    await connections.close();
    expect([isAlive(pid), isAlive(grandchild)]).toEqual([false, false]);
  });

  it("sees few variables of the host", async () => {
    process.env["HOST_ONLY"] = "yes";
    const { call } = await list(setOf(programOptions(new ServerLog())));
    delete process.env["HOST_ONLY"];
    const names = String(await call("variables")).split(" ");
    expect(names).toEqual(expect.arrayContaining(["LOG", "PATH"]));
    expect(names).not.toContain("HOST_ONLY");
    expect(names.length).toBeLessThan(16);
  });

  it("may print what is no message; that is told, and does no harm", async () => {
    const set = setOf(programOptions(new ServerLog(), "--noise"));
    const { notes, call } = await list(set);
    expect(notes).toEqual([
      expect.stringMatching(/mcp-server\.mjs stdio --noise.*"Welcome to the server"/),
    ]);
    expect(await call("get_item", { item: "a" })).toBe("get_item a");
    expect(await call("get_item", { item: "b" })).toBe("get_item b");
  });

  it.each([
    [
      "does not exist",
      { command: "no-such-command-here", args: ["-y"] },
      /`no-such-command-here -y` can't be used: there is no such command\. To mend it, run the command/,
    ],
    [
      "ends at once",
      programOptions(new ServerLog(), "--exit"),
      /it ended before it answered; it ended with code 3; on stderr it said: no licence found/,
    ],
    [
      "does not answer",
      { ...programOptions(new ServerLog(), "--silent"), startTimeout: 300 },
      /it did not answer within 0\.3 seconds/,
    ],
    [
      "is no server",
      { command: process.execPath, args: ["-e", "console.log('hello')"] },
      /it ended before it answered; it ended with code 0; on stdout it printed: hello/,
    ],
  ])("is told where it %s", async (_, options, message) => {
    expect(await failure(list(setOf(options)))).toMatch(message);
  });

  it("is not left behind where it does not answer", async () => {
    const log = new ServerLog();
    await failure(list(setOf({ ...programOptions(log, "--silent"), startTimeout: 2_000 })));
    const [pid = 0] = log.pids("started");
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
  });
});

describe("the address of an MCP server", slow, () => {
  it("gets the headers with every request, and the session is closed at the end", async () => {
    const log = new ServerLog();
    const { url } = await httpServer(log);
    const connections = connect();
    const { call } = await list(
      setOf({ url, headers: { Authorization: "Bearer a" } }, connections),
    );
    await call("get_item");
    await connections.close();
    expect(log.lines("session closed")).toHaveLength(1);
    for (const begin of ["POST", "GET", "DELETE"])
      expect(new Set(log.lines(begin))).toEqual(new Set([`${begin} Bearer a`]));
  });

  it("is told where it refuses, or where nobody is", async () => {
    const server = await httpServer(new ServerLog(), "--refuse");
    expect(await failure(list(setOf({ url: `${server.url}?key=abc` })))).toMatch(
      /the MCP server http:\/\/127\.0\.0\.1:\d+\/mcp can't be used: it refuses the credentials \(401\)/,
    );
    await server.stop();
    expect(await failure(list(setOf({ url: server.url })))).toMatch(/ECONNREFUSED/);
  });
});

describe("a lost connection", slow, () => {
  it("is opened once more for all who wait, after the address was started again", async () => {
    const log = new ServerLog();
    const server = await httpServer(log);
    const { call } = await list(setOf({ url: server.url }));
    await server.restart();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => call("get_item", { item: `${index}` })),
    );
    expect(results).toEqual(Array.from({ length: 8 }, (_, index) => `get_item ${index}`));
    expect(log.lines("initialized")).toHaveLength(2);
  });

  it("is opened once more for all who wait, after the program was killed", async () => {
    const log = new ServerLog();
    const { call } = await list(setOf(programOptions(log)));
    const [pid = 0] = log.pids("started");
    process.kill(pid, "SIGKILL");
    await untilGone(pid);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => call("save_item", { item: `${index}` })),
    );
    expect(results).toEqual(Array.from({ length: 8 }, (_, index) => `save_item ${index}`));
    expect(log.lines("initialized")).toHaveLength(2);
  });

  it.each(["program", "address"])(
    "makes calls again that can't act twice, and says of others that it is not known (%s)",
    async (kind) => {
      const log = new ServerLog();
      const server = kind === "program" ? undefined : await httpServer(log);
      const options = server === undefined ? programOptions(log) : { url: server.url };
      const { call } = await list(setOf(options));
      const aborter = new AbortController();
      const waiting = ["wait", "wait_save", "wait_create"].map((name) =>
        failure(call(name, {}, aborter.signal)),
      );
      await log.until("call wait", 3);
      if (server === undefined) process.kill(log.pids("started")[0] ?? 0, "SIGKILL");
      else await server.restart();
      const [, , created] = waiting;
      expect(await created).toMatch(/not known whether it took effect; do not repeat it/);
      await log.until("call wait", 5);
      expect(log.lines("call wait").slice(3).toSorted()).toEqual(["call wait", "call wait_save"]);
      expect(log.lines("initialized")).toHaveLength(2);
      aborter.abort(new Error("enough"));
      expect(await Promise.all(waiting.slice(0, 2))).toEqual(["enough", "enough"]);
    },
  );

  it("is noticed by a session that the server does not know any more", async () => {
    const log = new ServerLog();
    const server = await httpServer(log);
    const { call } = await list(setOf({ url: server.url }));
    await server.forget();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => call("get_item", { item: `${index}` })),
    );
    expect(results).toEqual(Array.from({ length: 8 }, (_, index) => `get_item ${index}`));
    expect(log.lines("call get_item")).toHaveLength(8);
    expect(log.lines("initialized")).toHaveLength(2);
  });

  it("does not make a call again that acts once, also where the server refused it; that it did not act is told", async () => {
    const log = new ServerLog();
    const server = await httpServer(log);
    const { call } = await list(setOf({ url: server.url }));
    await server.forget();
    expect(await failure(call("create_item", { item: "a" }))).toMatch(
      /it did not take effect, and may be made again/,
    );
    expect(log.lines("call create_item")).toEqual([]);
    expect(await call("create_item", { item: "a" })).toBe("create_item a");
    expect(log.lines("initialized")).toHaveLength(2);
  });

  it("is given up where the server stays away, and tried again by the next who asks", async () => {
    const log = new ServerLog();
    const server = await httpServer(log);
    const { call } = await list(setOf({ url: server.url }));
    await server.stop();
    expect(await failure(call("get_item"))).toMatch(/can't be used: .*ECONNREFUSED/);
    await server.start();
    expect(await call("get_item", { item: "b" })).toBe("get_item b");
  });
});

describe("the options of an MCP server", () => {
  const problemsOf = (options: object): readonly string[] =>
    (mcp.validate?.({ startTimeout: 1, ...options } as never) ?? []).map(({ message }) => message);

  it.each([
    [{}, /neither is said/],
    [{ command: "a", url: "http://a" }, /not both/],
    [{ url: "http://a", env: {} }, /`env` is taken only with `command`/],
    [{ command: "a", headers: {} }, /`headers` is taken only with `url`/],
    [{ url: "ftp://a" }, /not an http or https address/],
    [{ url: "http://a:b@c" }, /user name or a password/],
  ])("are refused where they contradict each other (%j)", (options, message) => {
    expect(problemsOf(options)).toEqual([expect.stringMatching(message)]);
  });

  it("may name a private address, and a program with all that it takes", () => {
    expect(problemsOf({ url: "http://10.0.0.1/mcp", headers: {} })).toEqual([]);
    expect(problemsOf({ command: "a", args: [], env: {}, folder: "/" })).toEqual([]);
  });
});
