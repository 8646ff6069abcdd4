import type { ProviderRequest } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { planOf, step } from "./plan-drafts.ts";

const report = toolOf(
  "report",
  (item) => `Report ${item}. ${"It holds plain words. ".repeat(100)}Total: ${item} nuts.`,
);

async function requestsOf(history: string, mode: string): Promise<readonly ProviderRequest[]> {
  let count = 0;
  const run = await runScripted(
    `task: { text: Sum the reports., mission: Count honestly. }\ntools: [report]\nstrategy: { react: { maxSteps: 16, history: ${history}, mode: ${mode} } }\n`,
    () => {
      count += 1;
      if (mode === "native")
        return count < 13 ? { ...calling("report", `${count}`), text: `I read ${count}` } : "78";
      return count < 13
        ? `Thought: I read ${count}\nAction: report\nAction Input: {"item":"${count}"}`
        : "Final Answer: 78";
    },
    { plugins: [report] },
  );
  expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "78" } });
  return run.requests;
}

const sizeOf = ({ messages }: ProviderRequest): number =>
  messages.reduce((sum, { text }) => sum + text.length, 0);

describe.each(["native", "text"])("the history of react in the mode %s", (mode) => {
  it("is whole in full", async () => {
    const last = (await requestsOf("full", mode)).at(-1);
    const results = (last?.messages ?? []).flatMap(
      ({ text }) => text.match(/<observation id=/g) ?? [],
    );
    expect(results).toHaveLength(12);
  });

  it("is shorter in compact and shortest in latest, and always holds task and mission", async () => {
    const sizes: number[] = [];
    for (const history of ["full", "compact", "latest"]) {
      const requests = await requestsOf(history, mode);
      for (const { messages } of requests) {
        const task = messages.find(({ role }) => role === "user")?.text ?? "";
        expect(task).toContain("Sum the reports.");
        expect(task).toContain("Count honestly.");
      }
      sizes.push(sizeOf(requests.at(-1) as ProviderRequest));
    }
    const [full = 0, compact = 0, latest = 0] = sizes;
    expect(compact).toBeLessThan(full / 1.5);
    expect(latest).toBeLessThan(compact);
  });

  it("keeps what old results conclude, and drops old thoughts, in compact", async () => {
    const last = (await requestsOf("compact", mode)).at(-1);
    const text = (last?.messages ?? []).map((message) => message.text).join("\n");
    expect(text).toContain("Total: 1 nuts.");
    expect(text).not.toMatch(/I read 1\b/);
    expect(text).toMatch(/I read 12\b/);
  });

  it("leaves a line with the observation of each old call in latest", async () => {
    const last = (await requestsOf("latest", mode)).at(-1);
    expect(last?.messages.find(({ role }) => role === "user")?.text).toContain(
      '- report {"item":"1"} → ok [observation-1]: Report 1.',
    );
  });

  it.each(["compact", "latest"])(
    "goes on from the prompt before at most steps, in %s",
    async (history) => {
      const requests = await requestsOf(history, mode);
      const extended = requests.slice(1).map(({ messages }, index) => {
        // The last message of a step carries words for that step alone.
        const before = (requests[index]?.messages ?? []).slice(0, -1);
        return JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before);
      });
      expect(extended.filter((one) => !one)).toHaveLength(3);
    },
  );
});

describe("a plan that replaced another, in latest", () => {
  const stock = toolOf("stock", (item) => `${item}: 4`);
  const before = planOf(step("a"), { ...step("b"), objective: "the old way" });
  const after = planOf(
    ...["c", "d", "e"].map((id) => ({ ...step(id), objective: `the new way ${id}` })),
  );

  async function lastTexts(strategy: string): Promise<readonly string[]> {
    let plans = 0;
    let count = 0;
    const run = await runScripted(
      `tools: [stock]\nstrategy: ${strategy}\n`,
      ({ stage }) => {
        if (stage === "plan") return (plans += 1) === 1 ? before : after;
        count += 1;
        if (count === 1)
          return {
            calls: [
              { name: "update_plan", arguments: { step: "a", status: "failed", because: "shut" } },
            ],
          };
        // The first stage answers at once, the second one goes on for long.
        if (stage === "one" && count === 2) return "so far";
        return count < 14 ? calling("stock", `${count}`) : "4";
      },
      { plugins: [stock] },
    );
    expect(run.outcome.outcome).toBe("done");
    return (run.requests.at(-1)?.messages ?? []).map(({ text }) => text);
  }

  it.each([
    ["in its stage", "[{ plan: {} }, { react: { maxSteps: 20, history: latest } }]"],
    [
      "in the stage after",
      "[{ plan: {} }, { react: { id: one, maxSteps: 4 } }, { react: { id: two, maxSteps: 20, history: latest } }]",
    ],
  ])("stays whole behind the old one %s", async (_name, strategy) => {
    const first = (await lastTexts(strategy))[1] ?? "";
    const [, newer = ""] = first.split("This plan replaces any plan above:");
    for (const id of ["c", "d", "e"]) expect(newer).toContain(`[${id}] the new way ${id}`);
    expect(newer).not.toContain("the old way");
  });
});
