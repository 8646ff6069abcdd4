import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { unbalanced } from "../events.ts";
import { runSpec } from "../run-spec.ts";
import { builtIn, specFile } from "./example-specs.ts";
import { dataOf, runExample } from "./run-example.ts";

const folder = tempFolder();

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

  it.each([
    ["a total that its parts do not come to", "total: 1624", "total: 1999", /总价等于各项之和/],
    ["a total that no calculator gave", "980 + 199 + 45 + 400 }", "1 + 1 }", /由计算器算出/],
    [
      "assumptions that do not name the weather",
      /assumptions: \[天气.*\]/,
      "assumptions: [步行可达]",
      /天气用了替代值/,
    ],
  ])("does not pass %s", async (_name, said, lie, missed) => {
    const root = mkdtempSync(join(folder, "lie-"));
    for (const part of ["shanghai-weekend.yaml", "scripts/shanghai-weekend.yaml", "data/shanghai"])
      cpSync(specFile(part), join(root, part), { recursive: true });
    const script = join(root, "scripts/shanghai-weekend.yaml");
    const told = readFileSync(script, "utf8");
    expect(told).toMatch(said);
    writeFileSync(script, told.replace(said, lie));
    const { port } = server.address() as AddressInfo;
    const { outcome } = await runSpec(
      { file: join(root, "shanghai-weekend.yaml") },
      { plugins: builtIn, root, env: { WEATHER_URL: `http://127.0.0.1:${port}/weather` } },
    );
    expect(outcome.verified).toBe("revise");
    const issues = outcome.state.verdict.issues.map(({ detail }) => detail);
    expect(issues.join(" ")).toMatch(missed);
    expect(issues).toHaveLength(1);
  });

  it("speaks Chinese to the model", async () => {
    const { events } = await run();
    const prompts = dataOf(events, "model-call.start").map(({ messages }) =>
      JSON.stringify(messages),
    );
    expect(prompts).toHaveLength(6);
    const whole = prompts.filter((prompt) => prompt.includes('"role":"system"'));
    expect(whole.length).toBeGreaterThan(2);
    for (const prompt of whole) {
      expect(prompt).toMatch(/任务/);
      expect(prompt).not.toMatch(/\b(?:Task|answer the|Your|Write|Reply)\b/);
    }
  });
});
