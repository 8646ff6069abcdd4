import { describe, expect, it } from "vitest";
import { runScripted } from "../promises/run-scripted.ts";

const unsolvable = { solvable: false, unsolvableReason: "nobody has counted" };

describe("the way out of a task", () => {
  it.each(["none", "first", "separate", "free"])(
    "stands in what a model is told with `reasoning: %s`",
    async (reasoning) => {
      const body = `strategy: direct\noutput: { reasoning: ${reasoning}, fields: { count: integer } }\n`;
      const run = await runScripted(body, ({ key }) =>
        reasoning === "separate" && !key.endsWith(".fields")
          ? "Nobody has counted."
          : { json: unsolvable },
      );
      expect(run.outcome).toMatchObject({
        outcome: "done",
        value: null,
        answer: { solvable: false, unsolvableReason: "nobody has counted" },
      });
      const told = run.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
      expect(told.join("\n")).toMatch(/solvable: required, true or false/);
      expect(told.join("\n")).toMatch(/unsolvableReason: required, text or null/);
    },
  );

  it.each([
    ["nobody can tell", { json: unsolvable }, "A person was asked."],
    ["somebody can", { json: { count: 4 } }, '{"count":4}'],
  ])("routes a spec: %s", async (_name, first, text) => {
    const body = `strategy:
  - direct
  - branch:
      if: "!answer.solvable"
      then: { direct: { id: escalate } }
output: { fields: { count: integer } }
`;
    const escalated = { json: { solvable: false, unsolvableReason: "A person was asked." } };
    const run = await runScripted(body, ({ stage }) => (stage === "escalate" ? escalated : first));
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text } });
  });
});

describe("fields with the names of the way out", () => {
  it("take its place, of whatever type, and are part of the value", async () => {
    const own = { evidence: "a letter", solvable: "hardly" };
    const run = await runScripted(
      "strategy: direct\noutput: { fields: { evidence: string, solvable: string } }\n",
      [{ json: own }],
    );
    expect(run.outcome).toMatchObject({ outcome: "done", value: own });
    expect(run.outcome.answer).toMatchObject({ solvable: true, evidence: [] });
    const told = run.requests[0]?.messages.map(({ text }) => text).join("\n") ?? "";
    expect(told).not.toContain("solvable: required, true or false");
  });
});

describe("a declared schema", () => {
  it("requires what it says, and no more", async () => {
    const schema = "{ type: object, properties: { name: { type: string }, nick: { type: string } }";
    const said = () => ({ json: { nick: "b" } });
    const free = await runScripted(`strategy: direct\noutput: { schema: ${schema} } }\n`, said);
    expect(free.outcome).toMatchObject({ outcome: "done", value: { nick: "b" } });
    const bound = await runScripted(
      `strategy: direct\noutput: { schema: ${schema}, required: [name] } }\n`,
      said,
    );
    expect(bound.outcome).toMatchObject({ fault: { code: "output-invalid" } });
  });
});
