import { type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { reflection } from "./reflection.ts";

const call: ToolContext = toolContext();
const reflect = reflection.create({} as never, {} as never) as ToolFunction<unknown, unknown>;

describe("reflection", () => {
  it("acknowledges a thought and says what to do next", () => {
    expect(reflect({ moment: "tool-error", analysis: "the order id was wrong" }, call)).toBe(
      "Noted (tool-error). The plan stands. Next: do not repeat the failed call unchanged; mend its arguments, use another tool, or say what can't be known.",
    );
  });

  it("notes a change of plan", () => {
    expect(
      reflect({ moment: "contradiction", analysis: "a", changePlan: "ask again" }, call),
    ).toMatch(/Change of plan noted/);
    expect(reflect({ moment: "contradiction", analysis: "a", changePlan: " " }, call)).toMatch(
      /The plan stands/,
    );
  });

  it("is safe to repeat", () => {
    expect(reflection.effect).toBe("idempotent");
  });
});
