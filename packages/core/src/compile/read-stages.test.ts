import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";

const head = "apiVersion: loopwright/v1\nname: x\nmodel: ollama/small\n";

/** Strategies of which each holds the one before it twice. */
function doubled(levels: number, innermost: string): string {
  const rest = Array.from({ length: levels }, (_, at) => `  a${at + 1}: [a${at}, a${at}]\n`);
  return `strategies:\n  a0: ${innermost}\n${rest.join("")}`;
}

describe("strategies inside each other", () => {
  it.each([
    ["of stages", "[direct, direct]", "strategy: a30\n"],
    ["of nothing", "[]", "strategy: a30\n"],
    ["of a stage with children", "{ plan-and-solve: { do: direct } }", "strategy: a30\n"],
    ["that no stage uses", "direct", "strategy: direct\n"],
    ["in a slot", "direct", "strategy: [{ plan-and-solve: { do: [a30] } }]\n"],
  ])("are counted before they are expanded: %s", async (_, innermost, strategy) => {
    const started = performance.now();
    const { diagnostics } = await compileText(head + doubled(30, innermost) + strategy);
    expect(performance.now() - started).toBeLessThan(1_000);
    const found = diagnostics.filter(({ code }) => code === "LW-SPEC-TOO-LARGE");
    expect(found).toMatchObject([{ suggestion: expect.stringContaining("less often") }]);
    expect(diagnostics.filter(({ code }) => code === "LW-FLOW-UNREACHABLE")).toHaveLength(
      strategy === "strategy: direct\n" ? 1 : 0,
    );
  });

  it("may be used as often as a spec may have stages, each with an id of its own", async () => {
    const text = `${head}${doubled(6, "{ direct: { when: 'answer.text != \"\"' } }")}strategy: [direct, a6]\n`;
    const { program, diagnostics } = await compileText(text);
    expect(diagnostics).toEqual([]);
    expect(program?.stages.size).toBe(65);
    expect([...(program?.stages.keys() ?? [])].at(-1)).toBe("direct-65");
  });

  it("may follow each other in a long chain", async () => {
    const links = Array.from({ length: 900 }, (_, at) => `  a${at + 1}: a${at}\n`).join("");
    const text = `${head}strategies:\n  a0: direct\n${links}strategy: a900\n`;
    expect((await compileText(text)).diagnostics).toEqual([]);
  });
});

it("advises a spec with too many stages of its own to repeat or move them", async () => {
  const { diagnostics } = await compileText(`${head}strategy:\n${"  - direct\n".repeat(2_001)}`);
  const found = diagnostics.filter(({ code }) => code === "LW-SPEC-TOO-LARGE");
  expect(found).toMatchObject([{ line: 2_005, suggestion: expect.stringContaining("for-each") }]);
});
