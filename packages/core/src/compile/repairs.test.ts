import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";
import { faultOfPattern } from "../spec/text/safe-pattern.ts";
import { migrateSpec } from "../spec/migrate/migrate-spec.ts";
import { countText } from "./count-text.ts";

const head = "apiVersion: loopwright/v1\nname: repairs\nmodel: ollama/s\n";

async function told(body: string, start = head): Promise<string> {
  const { diagnostics } = await compileText(start + body);
  return diagnostics.map(({ message, suggestion = "" }) => `${message}\n${suggestion}`).join("\n");
}

describe("a repair", () => {
  it("names the slot that a list of stages belongs in", async () => {
    expect(await told("strategy: [{ loop: [direct] }]\n")).toContain("`loop: { do: [direct] }`");
  });

  it("says that a later spec needs a newer loopwright", async () => {
    const spec = head.replace("v1", "v2");
    const text = await told("strategy: direct\n", spec);
    expect(text).toContain("`loopwright/v2` is not known here; this version reads `loopwright/v1`");
    expect(text).toContain("it needs a newer loopwright");
    expect(migrateSpec(spec)).toMatchObject({ suggestion: "it needs a newer loopwright" });
  });

  it("does not ask for a `^` that is there", () => {
    const slow = "a.*b.*c.*d.*e.*f";
    expect(faultOfPattern(slow)?.suggestion).toContain("begin it with `^`");
    expect(faultOfPattern(`^${slow}`)?.suggestion ?? "").not.toContain("begin it with");
  });

  it("gives a stage without its dash one", async () => {
    const text = await told("strategy:\n  - direct\n  verify: {}\n");
    expect(text).toContain("write `- verify: ...`");
  });

  it("counts the conclusion in the limit that it advises", async () => {
    const text = await told(
      "strategy: { loop: { maxRounds: 3, until: answer.solvable, do: direct } }\nlimits: { modelCalls: 2 }\n",
    );
    expect(text).toContain("worst case 7 model calls with the conclusion");
    expect(text).toContain("write `modelCalls: 7` or more");
  });
});

it("tells a count that nobody could read in words", () => {
  expect(countText(1_900)).toBe("1,900");
  expect(countText(1e40)).toBe("more than 1,000,000,000");
});
