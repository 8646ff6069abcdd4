import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, provide } from "@loopwright/core";
import { ToolError } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import {
  calling,
  runScripted,
  specOf,
  toolOf,
  type ScriptedRun,
} from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const UNSURE = /it may have taken effect; do not repeat it without looking/;

/** Runs one call of `pay`, which never ends while the clock moves on, or fails with what is given. */
async function payOnce(
  policy: string,
  { fault, other = "once" }: { readonly fault?: Error; readonly other?: "read" | "once" } = {},
): Promise<{
  readonly content: string;
  readonly made: readonly string[];
  readonly ran: ScriptedRun;
}> {
  const clock = testClock();
  const made: string[] = [];
  const pay = toolOf(
    "pay",
    () => {
      made.push("pay");
      if (fault !== undefined) throw fault;
      queueMicrotask(() => void clock.advance(40_000));
      return new Promise(() => undefined);
    },
    "once",
  );
  const stand = (item: string): string => {
    made.push("stand");
    return `stood in for ${item}`;
  };
  const ran = await runScripted(
    `tools: { pay: { approval: never, ${policy} }, stand: { approval: never } }\nstrategy: react\n`,
    [calling("pay", "nut"), "ok"],
    { plugins: [pay, toolOf("stand", stand, other)], services: [provide(Clock, clock)] },
  );
  return { content: ran.outcome.state.observations[0]?.content ?? "", made, ran };
}

const lost = (code: string): Error => Object.assign(new Error("the line broke"), { code });

describe("a call of which nobody knows what it did", () => {
  it.each([
    ["its own limit on time cut it", "limits: { time: 2s }", undefined],
    ["its timeout cut it", "timeout: 2s", undefined],
    ["its connection was lost", "timeout: 2s", lost("ECONNRESET")],
    ["its answer did not come", "timeout: 2s", lost("UND_ERR_HEADERS_TIMEOUT")],
    ["the line broke below", "timeout: 2s", new Error("fetch failed", { cause: lost("EPIPE") })],
    [
      "it says so itself",
      "timeout: 2s",
      new ToolError("tool-failed", "it may have taken effect; do not repeat it without looking", {
        details: { isUnsure: true },
      }),
    ],
  ])("is told as such and has no acting stand-in where %s", async (_, policy, fault) => {
    const options = fault === undefined ? {} : { fault };
    expect((await payOnce(policy, options)).content).toMatch(UNSURE);
    const { content, made } = await payOnce(`${policy}, fallback: stand`, options);
    expect(made).toEqual(["pay"]);
    expect(content).toMatch(UNSURE);
    expect(content).toContain("its fallback stand changes something too, so it was not called");
  });

  it("may have a stand-in that reads, or a text", async () => {
    const read = await payOnce("timeout: 2s, fallback: stand", { other: "read" });
    expect(read.made).toEqual(["pay", "stand"]);
    expect(read.content).toMatch(UNSURE);
    expect(read.content).toContain("stood in for nut");
    const text = await payOnce("timeout: 2s, fallback: Ask again tomorrow.");
    expect(text.content).toMatch(UNSURE);
    expect(text.content).toContain("Ask again tomorrow.");
  });

  it.each([
    ["it was not reached", lost("ECONNREFUSED")],
    ["it failed", new Error("no such account")],
  ])("is none where %s: its stand-in acts", async (_, fault) => {
    const { content, made } = await payOnce("fallback: stand", { fault });
    expect(made).toEqual(["pay", "stand"]);
    expect(content).toBe("stood in for nut");
  });

  it.each([
    ["has sold something", 1, ["sell"], UNSURE],
    ["has done nothing", 0, ["stand"], /^stood in$/],
  ])("may be that of an agent which fails after it %s", async (_, sales, made, said) => {
    const root = await mkdtemp(join(tmpdir(), "loopwright-unsure-"));
    const done: string[] = [];
    const noting = (name: string, text: string): ReturnType<typeof toolOf> =>
      toolOf(
        name,
        () => {
          done.push(name);
          return text;
        },
        "once",
      );
    await writeFile(
      join(root, "clerk.yaml"),
      "apiVersion: loopwright/v1\nname: clerk\nmodel: stub/model\ntools: { sell: { approval: never } }\nstrategy: [react, direct]\n",
    );
    const body =
      "tools: { clerk: { use: agent, spec: clerk.yaml, approval: never, fallback: stand }, stand: { approval: never } }\nstrategy: react\n";
    await writeFile(join(root, "spec.yaml"), specOf(body));
    const stand = { ...noting("stand", "stood in"), input: { type: "object" } as const };
    const { outcome } = await runScripted(
      body,
      ({ messages, key }) => {
        const isFirst = !messages.some(({ role }) => role === "assistant");
        if (key.includes("call:"))
          return isFirst && sales > 0 ? calling("sell", "nut") : { text: "" };
        return isFirst ? { calls: [{ name: "clerk", arguments: { task: "Sell a nut." } }] } : "ok";
      },
      { plugins: [noting("sell", "sold"), stand], root },
    );
    await rm(root, { recursive: true });
    expect(done).toEqual(made);
    expect(outcome.state.observations[0]?.content).toMatch(said);
  });
});
