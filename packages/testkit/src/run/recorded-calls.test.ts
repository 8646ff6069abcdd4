import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Clock, provide, type Run, type RunEvent } from "@loopwright/core";
import { defineTool, ToolError, Type } from "@loopwright/core/plugin";
import type { ScriptedReplies } from "@loopwright/providers";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { canonicalEvents, unbalanced } from "../events.ts";
import {
  calling,
  runScripted,
  type ScriptedRun,
  type ScriptedRunOptions,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const root = tempFolder();
/** What the tools did, in the order in which they did it. */
const done: string[] = [];

beforeEach(() => {
  done.length = 0;
});

function acting(id: string, effect: "read" | "idempotent" | "once", isDown?: boolean) {
  return toolOf(
    id,
    (item) => {
      done.push(`${id} ${item}`);
      if (isDown ?? item === "bad") throw new ToolError("tool-failed", `${id}\nis down`);
      return `${id} did ${item}`;
    },
    effect,
  );
}

const pay = acting("pay", "once");

/** Approves every call; the one of `much` with other arguments. */
function approve(run: Run): void {
  run.on("approval.requested", ({ data }) => {
    const isMuch = JSON.stringify(data.input).includes("much");
    const more = isMuch ? { input: { item: "little" } } : {};
    setImmediate(() => run.respond(data.id, { approved: true, ...more }));
  });
}

function recordOf({ events }: ScriptedRun): readonly RunEvent[] {
  return JSON.parse(JSON.stringify(events)) as readonly RunEvent[];
}

/** Runs a spec, then once more on its log with nobody there; gives what the tools did each time. */
async function twice(body: string, replies: ScriptedReplies, options: ScriptedRunOptions) {
  const first = await runScripted(body, replies, { onRun: approve, ...options });
  const before = done.splice(0);
  const again = await runScripted(body, replies, {
    ...options,
    settings: { recorded: recordOf(first), isPersonPresent: false },
  });
  expect(unbalanced(again.events)).toEqual([]);
  return { first, again, before, after: done.splice(0) };
}

function contents({ outcome }: ScriptedRun): readonly string[] {
  return outcome.state.observations.map(({ content }) => content);
}

describe("a call in a run that replays a log", () => {
  it("is not made where it changes something: what is recorded is its result, whatever it came to", async () => {
    const { first, again, before, after } = await twice(
      "tools: { pay: { coolDown: 1 }, sort: { approval: never }, look: { cache: 60s } }\nstrategy: { react: { maxSteps: 9 } }\n",
      [
        calling("pay", "one", "much"),
        { calls: ["look", "sort", "pay"].map((name) => ({ name, arguments: { item: "bad" } })) },
        calling("look", "shelf"),
        calling("sort", "shelf"),
        calling("look", "shelf"),
        "done",
      ],
      { plugins: [pay, acting("sort", "idempotent"), acting("look", "read")] },
    );
    expect(before).toHaveLength(8);
    expect(after).toEqual(["look bad", "look shelf", "look shelf"]);
    expect(again.outcome.outcome).toBe("done");
    expect(contents(again)).toContain("pay did little");
    expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
  });

  it.each([
    ["changes something too", "once", true],
    ["changes something too, and works", "once", false],
    ["only reads", "read", true],
    ["only reads, and works", "read", false],
  ] as const)("is not made where its stand-in %s, nor is that", async (_, effect, isDown) => {
    const { first, again, before, after } = await twice(
      "tools: { pay: { fallback: other }, other: {} }\nstrategy: react\n",
      [calling("pay", "bad", "one"), "done"],
      { plugins: [pay, acting("other", effect, isDown)] },
    );
    expect(before).toHaveLength(3);
    expect(after).toEqual([]);
    expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
  });

  it("is not made as the stand-in of one that is made again", async () => {
    const { first, again, after } = await twice(
      "tools: { look: { fallback: pay }, pay: {} }\nstrategy: react\n",
      [calling("look", "bad", "one"), "done"],
      { plugins: [acting("look", "read", true), pay] },
    );
    expect(after.toSorted()).toEqual(["look bad", "look one"]);
    expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
  });

  it("tells its attempts and its questions as they were", async () => {
    const clock = testClock();
    let count = 0;
    const flaky = toolOf(
      "flaky",
      () => {
        count += 1;
        if (count > 1) return `try ${count}`;
        throw new ToolError("tool-failed", "busy", { retryable: true });
      },
      "idempotent",
    );
    const curious = defineTool({
      id: "curious",
      description: "Asks back.",
      options: Type.Object({}),
      input: Type.Object({}),
      effect: "once",
      create: () => async (_input, call) =>
        (await call.askPerson({ question: "Sure?", options: ["yes", "no"] })).reply,
    });
    const { first, again } = await twice(
      "tools: { flaky: { approval: never, retry: 2 }, curious: { approval: never } }\nstrategy: react\n",
      [calling("flaky", "a"), { calls: [{ name: "curious", arguments: {} }] }, "done"],
      {
        plugins: [flaky, curious],
        services: [provide(Clock, clock)],
        onRun: (run) => {
          run.on("tool.retried", () => {
            setImmediate(() => void clock.advance(60_000));
          });
          run.on("question.asked", ({ data }) => {
            setImmediate(() => run.respond(data.id, { reply: "yes" }));
          });
        },
      },
    );
    expect(contents(first)).toEqual(["try 2", "yes"]);
    expect(count).toBe(2);
    const names = new Set(again.events.map(({ name }) => name));
    expect([...names]).toEqual(expect.arrayContaining(["tool.retried", "question.answered"]));
    expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
  });

  it("is not made by an agent that is a tool, which runs again", async () => {
    const inner = specOf("tools: { pay: { approval: never } }\nstrategy: react\n");
    const outer = "tools: { clerk: { use: agent, spec: inner.yaml } }\nstrategy: react\n";
    await writeFile(join(root, "inner.yaml"), inner);
    await writeFile(join(root, "outer.yaml"), specOf(outer));
    const { first, again, before, after } = await twice(
      outer,
      ({ key, messages }) => {
        if (messages.at(-1)?.role === "tool") return { text: "done" };
        if (key.includes("call:")) return calling("pay", "one");
        return { calls: [{ name: "clerk", arguments: {} }] };
      },
      { plugins: [pay], root },
    );
    expect([before, after]).toEqual([["pay one"], []]);
    expect(again.requests.map(({ key }) => key)).toEqual(first.requests.map(({ key }) => key));
    expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
  });

  it.each([
    ["other arguments", calling("pay", "two"), (events: readonly RunEvent[]) => events],
    ["another tool", calling("sort", "one"), (events: readonly RunEvent[]) => events],
    ["a log that ends before its result", calling("pay", "one"), untilResult],
  ])("is refused with %s, and nobody is asked", async (_, reply, cut) => {
    const body = "tools: [pay, sort]\nstrategy: react\n";
    const plugins = [pay, acting("sort", "idempotent")];
    const first = await runScripted(body, [calling("pay", "one"), "ok"], {
      plugins,
      onRun: approve,
    });
    const again = await runScripted(body, [reply, "ok"], {
      plugins,
      settings: { recorded: cut(recordOf(first)) },
    });
    expect(done).toEqual(["pay one"]);
    expect(again.outcome.state.observations).toMatchObject([
      {
        ok: false,
        content: expect.stringMatching(
          /^not executed: this run replays a log that holds no result of this call/,
        ) as string,
      },
    ]);
    expect(again.events.some(({ name }) => name === "approval.requested")).toBe(false);
  });
});

function untilResult(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.slice(
    0,
    events.findIndex(({ name }) => name === "observation.recorded"),
  );
}
