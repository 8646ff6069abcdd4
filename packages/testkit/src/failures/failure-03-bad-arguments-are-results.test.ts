import { providers } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtIn, packageOf, specOf, toolOf } from "../promises/run-scripted.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import type { StubCall, StubReply } from "../stub-servers/stub-reply.ts";
import { historyFaults } from "./strict-history.ts";

const GOOD = '{"item": "box"}';
/** The argument texts of public reports: openai-agents-js#887, TanStack/ai#1131, langchainjs#11154, verifiers#1763, vercel/ai#13657. */
const BAD: readonly (readonly [string, RegExp])[] = [
  ['{"a":', /not one JSON object/],
  ["null", /not one JSON object/],
  ["[1]", /not one JSON object/],
  ['"x"', /not one JSON object/],
  [`${GOOD}${GOOD.replace("box", "nut")}`, /not one JSON object/],
  ['{"item": 4}', /`item` is 4, not string/],
];

let server: StubOpenAi;
let replies: readonly StubReply[] = [];
let executed: string[] = [];
beforeEach(async () => {
  executed = [];
  server = await stubOpenAi({
    replies: (request, index) => {
      const faults = historyFaults(request);
      return faults.length > 0
        ? { status: 400, text: faults.join("; ") }
        : (replies[index] ?? { status: 500 });
    },
  });
});
afterEach(() => server.close());

function callsOf(...texts: readonly string[]): StubReply {
  const calls = texts.map(
    (text, index): StubCall => ({ id: `call-${index}`, name: "stock", arguments: text }),
  );
  return { calls, finishReason: "tool_calls" };
}

function ask(): Promise<SpecRun> {
  const model = `model: { use: custom/m, baseUrl: "${server.url}", apiKey: k, retry: 1 }`;
  const stock = toolOf("stock", (item) => {
    executed.push(item);
    return "4";
  });
  return runSpec(specOf(`${model}\ntools: [stock]\nstrategy: react\n`), {
    plugins: [...builtIn, providers, packageOf([stock])],
  });
}

describe("arguments that can't be used", () => {
  it.each(BAD)(
    "%s become the result of their call, and the next step succeeds",
    async (text, why) => {
      replies = [callsOf(text), callsOf(GOOD), { text: "There are 4." }];
      const { outcome } = await ask();
      expect(outcome).toMatchObject({ outcome: "done", answer: { text: "There are 4." } });
      expect(outcome.state.observations.map(({ ok }) => ok)).toEqual([false, true]);
      expect(outcome.state.observations[0]?.content).toMatch(why);
      expect(executed).toEqual(["box"]);
    },
  );

  it("spoil no other call of the same reply", async () => {
    const texts = BAD.map(([text]) => text);
    replies = [callsOf(...texts.slice(0, 2), GOOD), { text: "There are 4." }];
    const { outcome } = await ask();
    expect(outcome).toMatchObject({ outcome: "done" });
    expect(outcome.state.observations.map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(executed).toEqual(["box"]);
  });
});
