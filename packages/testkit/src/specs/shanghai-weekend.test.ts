import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { dataOf, runExample } from "./run-example.ts";

const STAND_IN = "天气服务没有答上来；按往年同期的 18 到 25 度、可能有雨来安排。";

describe("a weekend in Shanghai for 2,000 yuan", () => {
  let server: Server;
  beforeEach(async () => {
    // Takes a request and never answers.
    server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function run() {
    const { port } = server.address() as AddressInfo;
    return runExample("shanghai-weekend.yaml", {
      env: { WEATHER_URL: `http://127.0.0.1:${port}/weather` },
    });
  }

  it("takes the declared stand-in where the weather service does not answer in time, and names it", async () => {
    const { outcome, events } = await run();
    expect(outcome.state.observations.slice(0, 2)).toMatchObject([
      { tool: "weather", ok: true, degraded: true, content: expect.stringContaining(STAND_IN) },
      { tool: "places", ok: true, degraded: false },
    ]);
    const failed = dataOf(events, "tool-call.end").filter(({ tool }) => tool === "weather");
    expect(failed).toMatchObject([{ outcome: "failed", fault: { code: "tool-timeout" } }]);
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { total: 1624, assumptions: [STAND_IN] },
    });
    expect(unbalanced(events)).toEqual([]);
  });

  it("holds the total against the budget and the stand-in against the answer, by rules", async () => {
    const { events } = await run();
    expect(dataOf(events, "answer.given")).toMatchObject([
      { value: { total: 2324, assumptions: [] } },
    ]);
    const [first, second] = dataOf(events, "verdict.given");
    expect(first).toMatchObject({
      outcome: "revise",
      issues: [{ kind: "missed-constraint" }, { kind: "missed-constraint" }],
    });
    expect(first?.issues.map(({ detail }) => detail).join(" ")).toMatch(/总价不超过预算.*替代值/s);
    expect(second).toMatchObject({ outcome: "pass", issues: [] });
  });

  it("speaks Chinese to the model", async () => {
    const { events } = await run();
    const prompts = dataOf(events, "model-call.start").map(({ messages }) =>
      JSON.stringify(messages),
    );
    expect(prompts).toHaveLength(5);
    const whole = prompts.filter((prompt) => prompt.includes('"role":"system"'));
    expect(whole.length).toBeGreaterThan(2);
    for (const prompt of whole) {
      expect(prompt).toMatch(/任务/);
      expect(prompt).not.toMatch(/\b(?:Task|answer the|Your|Write|Reply)\b/);
    }
  });
});
