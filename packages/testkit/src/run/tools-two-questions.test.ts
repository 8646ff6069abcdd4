import { Clock, provide } from "@loopwright/core";
import { defineTool, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { calling, runScripted } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

describe("a tool that asks two questions at one time", () => {
  it("has its timeout stand still until both are answered", async () => {
    const clock = testClock();
    const survey = defineTool({
      id: "survey",
      description: "Asks twice.",
      options: Type.Object({}),
      input: Type.Object({ item: Type.Optional(Type.String()) }),
      effect: "read",
      create:
        () =>
        async (_, { askPerson }) => {
          const answers = await Promise.all(
            ["Which?", "When?"].map((question) => askPerson({ question })),
          );
          return answers.map(({ reply }) => reply).join(" ");
        },
    });
    const asked: string[] = [];
    const { outcome } = await runScripted(
      "tools: { survey: { timeout: 5s, retry: 1 } }\nstrategy: react\n",
      [calling("survey", "x"), "ok"],
      {
        plugins: [survey],
        services: [provide(Clock, clock)],
        onRun: (run) => {
          run.on("question.asked", ({ data }) => asked.push(data.id));
          run.on("question.answered", ({ data }) => {
            if (data.id !== asked[0]) return;
            const answerLate = async (): Promise<void> => {
              await clock.advance(10_000);
              run.respond(asked[1] ?? "", { reply: "tomorrow" });
            };
            setImmediate(() => void answerLate());
          });
          run.on("question.asked", () => {
            if (asked.length === 2)
              setImmediate(() => run.respond(asked[0] ?? "", { reply: "nuts" }));
          });
        },
      },
    );
    expect(outcome.state.observations[0]?.content).toBe("nuts tomorrow");
  });
});
