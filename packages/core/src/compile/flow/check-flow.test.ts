import { describe, expect, it } from "vitest";
import { compileText } from "../../../test/stub-plugins.ts";

const head =
  "apiVersion: loopwright/v1\nname: flow\nmodel: ollama/s\ntools: [calculator]\ninputs: { fast: boolean }\nstrategy:\n";

async function found(strategy: string): Promise<readonly string[]> {
  const { diagnostics } = await compileText(head + strategy);
  return diagnostics
    .filter(({ code }) => code.startsWith("LW-FLOW"))
    .map(({ code, line, column }) => `${code} ${line}:${column}`);
}

async function saying(strategy: string): Promise<string> {
  const { diagnostics } = await compileText(head + strategy);
  return diagnostics.map(({ message }) => message).join("\n");
}

describe("what a stage needs", () => {
  it("may be written by any stage before it", async () => {
    expect(await found("  - direct\n  - verify\n  - refine\n")).toEqual([]);
  });

  it("is an error where nothing before writes it", async () => {
    expect(await found("  - refine\n  - direct\n  - verify\n")).toEqual([
      "LW-FLOW-NEVER-WRITTEN 7:5",
      "LW-FLOW-NEVER-WRITTEN 7:5",
    ]);
  });

  it("may be missing where only a guarded stage, or one that may fail, writes it", async () => {
    expect(await found("  - direct: { when: task.text != '' }\n  - verify\n")).toEqual([
      "LW-FLOW-MAYBE-MISSING 8:5",
    ]);
    expect(await saying("  - direct: { when: task.text != '' }\n  - verify\n")).toContain(
      "`verify` reads `answer`, which may be missing: its writer `direct` (line 7) runs only under the guard at 7:21",
    );
    expect(await found("  - direct: { onError: continue }\n  - verify\n")).toEqual([
      "LW-FLOW-MAYBE-MISSING 8:5",
    ]);
  });

  it("is there under the guard of its writer, and under a guard that reads it", async () => {
    expect(
      await found("  - direct: { when: inputs.fast }\n  - verify: { when: inputs.fast }\n"),
    ).toEqual([]);
    expect(
      await found("  - direct: { when: inputs.fast }\n  - verify: { when: answer.revision > 0 }\n"),
    ).toEqual([]);
  });

  it("is there inside a slot when the stage has written it", async () => {
    expect(await found("  - direct\n  - verify: { maxRounds: 1, revise: refine }\n")).toEqual([]);
  });

  it("is there after a slot that always runs, not after one that may", async () => {
    expect(await found("  - loop: { maxRounds: 2, do: [direct, verify] }\n  - refine\n")).toEqual(
      [],
    );
    expect(
      await found(
        "  - direct\n  - verify: { maxRounds: 1, revise: [refine, react] }\n  - refine\n",
      ),
    ).toEqual([]);
  });

  it("is not there in the first round of a loop", async () => {
    expect(await found("  - direct\n  - loop: { maxRounds: 2, do: [refine, verify] }\n")).toEqual([
      "LW-FLOW-NEVER-WRITTEN 8:32",
    ]);
  });
});

describe("what may be missing", () => {
  it("is told of a stage once, and not again of the stages inside it that need the same", async () => {
    expect(
      await found(
        "  - direct: { when: inputs.fast }\n  - verify: { maxRounds: 1, revise: refine }\n  - verify\n",
      ),
    ).toEqual(["LW-FLOW-MAYBE-MISSING 8:5", "LW-FLOW-MAYBE-MISSING 9:5"]);
  });
});

describe("a loop until something that no round changes", () => {
  const loop = (until: string): string =>
    `  - loop: { maxRounds: 2, until: ${until}, do: { direct: { id: again } } }\n`;
  it("is a warning where it may hold before the first round", async () => {
    const text = `  - direct: { id: z1 }\n${loop("results.z1.text != ''")}`;
    expect(await found(text)).toEqual(["LW-FLOW-NEVER-PASSES 8:34"]);
    expect(await saying(text)).toContain("it holds before the first round or never");
    const { program } = await compileText(head + text);
    expect(program).toBeDefined();
  });

  it("is told once where no stage writes what it reads", async () => {
    expect(await found(loop("verdict.passed"))).toEqual(["LW-FLOW-NEVER-WRITTEN 7:34"]);
  });

  it("is an error where nothing before it sets what it reads", async () => {
    const { program, diagnostics } = await compileText(
      `${head}${loop("verdict.passed")}  - verify\n`,
    );
    expect(program).toBeUndefined();
    expect(diagnostics.map(({ message }) => message).join()).toContain("the loop can never pass");
  });
});

describe("a fault in one stage", () => {
  it("does not hide branches that set the same field", async () => {
    expect(
      await found(
        '  - parallel: { branches: { a: { direct: { when: "nope > 1" } }, b: { direct: { id: d2 } }, c: { direct: { id: d3 } } } }\n',
      ),
    ).toEqual(["LW-FLOW-TWO-WRITERS 7:71"]);
  });

  it("hides what nobody reads only where the stage may read it", async () => {
    const ask = "  - ask: { question: Why? }\n";
    const faulty = '  - direct: { when: "nope > 1" }\n';
    expect(await found(faulty + ask)).toEqual(["LW-FLOW-UNREAD 8:5"]);
    expect(await found(ask + faulty)).toEqual([]);
  });
});

describe("a spec without an answer", () => {
  it("is right where it surely ends by a stop", async () => {
    expect(await found("  - stop\n")).toEqual([]);
    expect(await found("  - branch: { if: inputs.fast, then: stop, else: stop }\n")).toEqual([]);
  });

  it("is reported once, by the stage that reads the answer where there is one", async () => {
    expect(await found("  - verify\n")).toEqual(["LW-FLOW-NEVER-WRITTEN 7:5"]);
    expect(await found("  - plan\n")).toEqual(["LW-FLOW-NO-ANSWER 6:1"]);
  });

  it("is not reported where a slot can't be read, or a stage is not known", async () => {
    expect(await found("  - plan-and-solv: { maxPlanSteps: 3 }\n")).toEqual([]);
    expect(await found("  - parallel: { branches: { left: plan, right: 3 } }\n")).toEqual([]);
    expect(await found("  - parallel: { branches: {} }\n")).toEqual([]);
  });

  it("is not reported where only some ways answer", async () => {
    expect(await found("  - branch: { if: inputs.fast, then: direct, else: stop }\n")).toEqual([]);
    expect(
      await found(
        "  - plan\n  - for-each: { in: plan.steps, item: s, do: plan, combine: direct }\n",
      ),
    ).toEqual([]);
  });
});

describe("tries", () => {
  it("may end with a stop, or hold one behind what may fail or be left out", async () => {
    expect(await found("  - fallback: { try: [direct, stop] }\n")).toEqual([]);
    expect(await found("  - fallback: { try: [[react, stop], direct] }\n")).toEqual([]);
    expect(
      await found("  - fallback: { try: [{ stop: { when: inputs.fast } }, direct] }\n"),
    ).toEqual([]);
  });
});

describe("a try that tries what never fails", () => {
  const within = (inner: string): string =>
    `  - fallback:\n      try:\n        - fallback: { id: inner, ${inner} }\n        - direct: { id: last }\n`;

  it.each([["try: [stop]"], ["try: [direct, react: { onError: continue }]"]])(
    "leaves nothing to try after it: %s",
    async (inner) => {
      expect(await found(within(inner))).toEqual(["LW-FLOW-UNREACHABLE 10:11"]);
      expect(await saying(within(inner))).toContain(
        "`inner` (line 9) stands before it in `fallback` and never fails: one of its own tries never fails",
      );
    },
  );

  it.each([["try: [direct, react]"], ["when: inputs.fast, try: [stop]"]])(
    "is not one that may fail, or has a guard: %s",
    async (inner) => {
      expect(await found(within(inner))).toEqual([]);
    },
  );
});

describe("a guard", () => {
  it("that reads a verdict before any stage can write one is a warning", async () => {
    expect(
      await found("  - direct: { when: '!verdict.passed' }\n  - direct\n  - verify\n"),
    ).toEqual(["LW-FLOW-MAYBE-MISSING 7:23"]);
  });

  it("that reads what no stage of the spec writes is an error", async () => {
    expect(await found("  - direct: { when: 'true || !verdict.passed' }\n  - direct\n")).toEqual([
      "LW-FLOW-NEVER-WRITTEN 7:31",
    ]);
  });

  it("may look at an earlier round of the loop around it", async () => {
    expect(
      await found(
        "  - loop: { maxRounds: 2, do: [{ react: { when: '!verdict.passed' } }, direct, verify] }\n",
      ),
    ).toEqual([]);
  });

  it("that is never true leaves its stage out", async () => {
    expect(await found("  - direct\n  - plan: { when: false }\n")).toEqual([
      "LW-FLOW-UNREACHABLE 8:19",
    ]);
    expect(await found("  - direct: { when: 1 > 2 }\n  - verify\n")).toEqual([
      "LW-FLOW-UNREACHABLE 7:21",
      "LW-FLOW-NEVER-WRITTEN 8:5",
    ]);
  });
});

describe("a sound flow", () => {
  it.each([
    [
      "both ways of a branch write the answer",
      "  - branch: { if: inputs.fast, then: direct, else: react }\n  - verify\n",
    ],
    [
      "every case writes the answer",
      "  - choose: { cases: { a: { description: A., do: direct }, b: { description: B., do: react } } }\n  - verify\n",
    ],
    ["every try writes the answer", "  - fallback: { try: [direct, react] }\n  - verify\n"],
    [
      "one branch writes the answer, others something else",
      "  - parallel: { branches: { a: direct, b: plan, c: { reflect: {} } } }\n  - verify\n  - direct: { id: last, prompt: '{{ plan.goal }}' }\n",
    ],
    [
      "branches with one answer each are combined",
      "  - parallel:\n      branches: { a: direct, b: react }\n      combine: { direct: { id: both, prompt: '{{ results.a.text }} {{ results.b.text }}' } }\n  - verify\n",
    ],
    [
      "results of items are read",
      "  - plan\n  - for-each: { id: parts, in: plan.steps, item: step, do: direct }\n  - direct: { id: whole, prompt: '{{# results.parts }}{{ item.text }}{{/ results.parts }}' }\n",
    ],
    [
      "the results of items are combined",
      "  - plan\n  - for-each: { in: plan.steps, item: step, do: react, combine: { direct: { id: whole } } }\n  - verify\n",
    ],
    [
      "a stage's prompt reads what the stage itself writes",
      "  - plan-and-solve: { prompt: 'Follow {{ plan.goal }}.' }\n",
    ],
    [
      "a text under a guard reads what the guard reads",
      "  - plan: { when: inputs.fast }\n  - ask: { when: plan.hasConflicts, question: '{{ plan.goal }}?' }\n  - direct: { when: results.ask.answered }\n",
    ],
    [
      "lists that may be empty are read",
      "  - react\n  - direct: { id: last, prompt: '{{# observations }}{{ item.content }}{{/ observations }}' }\n",
    ],
    [
      "a round changes what `until` reads",
      "  - loop: { maxRounds: 3, until: verdict.passed && size(lessons) > 1, do: [direct, verify, reflect] }\n",
    ],
    [
      "an answer makes a verdict stale",
      "  - direct\n  - verify\n  - loop: { maxRounds: 3, until: \"verdict.outcome == 'stale'\", do: react }\n",
    ],
    [
      "a loop asks for all its rounds",
      '  - loop: { maxRounds: 3, until: "false", do: [direct, reflect] }\n',
    ],
    [
      "a guarded stop ends only some runs",
      "  - direct\n  - stop: { when: '!answer.solvable' }\n  - verify\n",
    ],
    [
      "one way of a branch stops",
      "  - direct\n  - branch: { if: answer.solvable, then: reflect, else: stop }\n  - verify\n",
    ],
    [
      "a reply is read",
      "  - ask: { question: Which? }\n  - direct: { prompt: '{{ results.ask.reply }}' }\n",
    ],
    [
      "an earlier stage of a loop reads what a later one leaves",
      "  - loop: { maxRounds: 2, until: answer.solvable, do: [direct, { ask: { question: Why? } }, { direct: { id: more, prompt: '{{ results.ask.reply }}' } }] }\n",
    ],
  ])("is not reported where %s", async (_name, strategy) => {
    const { program, diagnostics } = await compileText(head + strategy);
    expect(diagnostics.filter(({ code }) => code !== "LW-MODEL-SELF-JUDGE")).toEqual([]);
    expect(program).toBeDefined();
  });
});
