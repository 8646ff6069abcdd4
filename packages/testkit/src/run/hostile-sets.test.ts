import { defineToolSet, type ListedTool, type ToolDefinition, Type } from "@loopwright/core/plugin";
import type { Run } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { runScripted } from "../promises/run-scripted.ts";

const body = "tools: { yard: { use: yard } }\nstrategy: { react: {} }\n";

function yard(list: readonly ListedTool[]): ToolDefinition {
  return defineToolSet({
    id: "yard",
    description: "The tools of the yard.",
    options: Type.Object({}),
    create: () => ({ list: () => Promise.resolve(list) }),
  });
}

function tool(name: string, input: object = { type: "object" }): ListedTool {
  return {
    name,
    description: `Does ${name}.`,
    input: input as ListedTool["input"],
    effect: "read",
    run: () => name,
  };
}

/** The data of all events of one name. */
function told(run: Awaited<ReturnType<typeof runScripted>>, name: string): readonly unknown[] {
  return run.events.filter((event) => event.name === name).map(({ data }) => data);
}

describe("a set that means no good", () => {
  it("has no more schemas read than a set may have tools, good ones or bad ones", async () => {
    let read = 0;
    const counted = {
      get type() {
        read += 1;
        return "nope";
      },
    };
    const list = [
      tool("good"),
      ...Array.from({ length: 5_000 }, (_, index) => tool(`bad_${index}`, counted)),
    ];
    const run = await runScripted(body, ["ok"], { plugins: [yard(list)] });
    expect(told(run, "tools.listed")).toMatchObject([{ dropped: 5_000 }]);
    expect(told(run, "tool.dropped")).toHaveLength(100);
    expect(read).toBe(999);
  });

  it("can be left while its schemas are read", async () => {
    let live: Run | undefined;
    let read = 0;
    const aborting = {
      get type() {
        read += 1;
        if (read === 3) live?.abort("enough");
        return "object";
      },
    };
    const list = Array.from({ length: 500 }, (_, index) => tool(`one_${index}`, aborting));
    const run = await runScripted(body, ["ok"], {
      plugins: [yard(list)],
      onRun: (started) => {
        live = started;
      },
    });
    expect(run.outcome.outcome).toBe("aborted");
    expect(read).toBe(3);
  });

  it("is told where its patterns are not checked, and loses the tools that rest on one", async () => {
    const slow = "^(a+)+$";
    const list = [
      tool("loose", { type: "object", properties: { a: { type: "string", pattern: slow } } }),
      tool("strict", { type: "object", patternProperties: { [slow]: {} } }),
    ];
    const run = await runScripted(body, ["ok"], { plugins: [yard(list)] });
    expect(told(run, "tools.noted")).toEqual([
      {
        set: "yard",
        message: "a pattern that could take unbounded time is not checked: `^(a+)+$` of yard/loose",
      },
    ]);
    expect(told(run, "tool.dropped")).toEqual([
      {
        set: "yard",
        tool: "strict",
        reason: expect.stringContaining("can take unbounded time") as string,
      },
    ]);
  });
});
