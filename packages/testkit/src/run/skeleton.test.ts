import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const TASK = "task: How does one work well in a team?\n";
const POINTS = "1. Listen well\n2. Share work\n3. Say thanks";

const calls = ["model-call.start", "model-call.delta", "model-call.end"] as const;

/** What a request asks last. */
function asked({ messages }: { readonly messages: readonly object[] }): string {
  return (messages.at(-1) as { readonly text: string }).text;
}

/** The skeleton, then for each point a sentence with its number. */
function expanding(request: { readonly messages: readonly object[]; readonly voice: string }) {
  if (request.voice === "skeleton") return POINTS;
  return `Sentence ${/Write out point (\d)/.exec(asked(request))?.[1]}.`;
}

describe("skeleton", () => {
  it("writes all points of the skeleton at one time, and joins them in their order", async () => {
    const { outcome, events, requests } = await runScripted(
      `${TASK}strategy: skeleton\n`,
      expanding,
    );
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: {
        text: "1. Listen well: Sentence 1.\n2. Share work: Sentence 2.\n3. Say thanks: Sentence 3.",
      },
    });
    expect(outcome.state.results["skeleton"]?.value).toMatchObject([
      { number: 1, point: "Listen well", text: "Sentence 1." },
      {},
      {},
    ]);
    expect(requests).toHaveLength(4);
    expect(asked(requests[2]!)).toContain("1. Listen well\n2. Share work\n3. Say thanks");
    expect(eventNames(events, { without: calls })).toEqual([
      "run.start",
      "stage.start skeleton",
      "fact.told",
      "answer.given",
      "stage.end skeleton",
      "run.end",
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("answers directly where the skeleton holds no point", async () => {
    const { outcome, requests } = await runScripted(`${TASK}strategy: skeleton\n`, [
      "I'd rather not.",
      "Listen.",
    ]);
    expect(outcome.answer.text).toBe("Listen.");
    expect(requests.map(({ voice }) => voice)).toEqual(["skeleton", "answer"]);
  });

  it("answers directly where the router says that the task does not fall into points", async () => {
    const spec = `${TASK}strategy: { skeleton: { router: true } }\n`;
    const direct = await runScripted(spec, [{ json: { independent: false } }, "Listen."]);
    expect(direct.requests.map(({ voice }) => voice)).toEqual(["route", "answer"]);
    expect(direct.outcome.answer.text).toBe("Listen.");
    const points = await runScripted(spec, (request) =>
      request.voice === "route" ? { json: { independent: true } } : expanding(request),
    );
    expect(points.requests).toHaveLength(5);
  });

  it("fills a declared output in from the joined text", async () => {
    const { outcome, requests } = await runScripted(
      `${TASK}strategy: skeleton\noutput: { fields: { advice: string } }\n`,
      (request) =>
        request.voice === "answer" ? { json: { advice: "Listen." } } : expanding(request),
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { value: { advice: "Listen." } } });
    expect(asked(requests.at(-1)!)).toContain("3. Say thanks: Sentence 3.");
  });

  it("cuts points above the maximum, and leaves one that fails as it is", async () => {
    const { outcome, events } = await runScripted(
      `${TASK}strategy: { skeleton: { maxPoints: 3 } }\n`,
      (request) => {
        if (request.voice === "skeleton") return `${POINTS}\n4. Rest`;
        return asked(request).includes("Write out point 2")
          ? { error: { code: "provider-failed", message: "down" } }
          : expanding(request);
      },
    );
    expect(outcome.answer.text).toBe(
      "1. Listen well: Sentence 1.\n2. Share work\n3. Say thanks: Sentence 3.",
    );
    const facts = events.flatMap((event) => (event.name === "fact.told" ? [event.data] : []));
    expect(facts).toMatchObject([
      { fact: "items.left-out", data: { count: 1, maxItems: 3 } },
      { fact: "skeleton.made", data: { points: ["Listen well", "Share work", "Say thanks"] } },
      { fact: "items.failed", data: { failed: [{ key: "point:2", reason: "down" }], of: 3 } },
    ]);
  });

  it("fails where no point can be written", async () => {
    const { outcome } = await runScripted(`${TASK}strategy: skeleton\n`, (request) =>
      request.voice === "skeleton"
        ? POINTS
        : { error: { code: "provider-failed", message: "down" } },
    );
    expect(outcome.outcome).toBe("failed");
    expect(outcome.reason).toContain("none of 3 points could be written: down");
  });

  it("has the evidence that its points cite, which checks then see", async () => {
    const stock = toolOf("stock", (item) => `${item}: 4`);
    const { outcome } = await runScripted(
      `tools: [stock]
strategy: [{ react: { maxSteps: 2 } }, skeleton, { verify: { model: none, checks: [evidence] } }]
`,
      (request) => {
        if (request.stage === "react")
          return request.messages.at(-1)?.role === "tool" ? "4 nuts" : calling("stock", "nut");
        if (request.stage !== "skeleton") return "fine";
        if (request.voice === "skeleton") return POINTS;
        return asked(request).includes("Write out point 2")
          ? "There are 4 [observation-1], not 5 [observation-9]."
          : "Said.";
      },
      { plugins: [stock] },
    );
    expect(outcome.state.answer.text).toContain("2. Share work: There are 4 [observation-1]");
    expect(outcome.state.answer.evidence).toEqual(["observation-1"]);
    expect(outcome.state.verdict).toMatchObject({ outcome: "pass" });
  });

  it("answers in one call when a limit is near, and tells what was left out", async () => {
    const { outcome, requests, events } = await runScripted(
      `${TASK}strategy: [direct, { direct: { id: b } }, { direct: { id: c } }, skeleton]\nlimits: { modelCalls: 6 }\n`,
      ["draft", "draft", "draft", POINTS, "Listen."],
    );
    expect(outcome.answer.text).toBe("Listen.");
    expect(requests).toHaveLength(5);
    expect(outcome.reason).toContain("none of 3 points was written out, because a limit was near");
    expect(events.filter(({ name }) => name === "fact.told")).toMatchObject([
      { data: { fact: "skeleton.made" } },
      { data: { fact: "items.left-out", data: { count: 3 } } },
    ]);
  });

  it("takes prompts of the spec by voice, with what it binds", async () => {
    const { requests } = await runScripted(
      `${TASK}strategy:
  skeleton:
    maxParallel: 1
    prompt: { skeleton: "At most {{ max }}.", expand: "{{ number }} {{ point }} of {{# points }}{{ item.number }}{{/ points }}" }
`,
      (request) => (request.voice === "skeleton" ? "1. A\n2. B" : "text"),
    );
    expect(requests.map(asked)).toEqual(["At most 10.", "1 A of 12", "2 B of 12"]);
  });

  it("speaks Chinese in a Chinese spec, and reads Chinese numbering", async () => {
    const { outcome, requests } = await runScripted(
      "language: zh\ntask: 怎样和同事合作？\nstrategy: skeleton\n",
      (request) => (request.voice === "skeleton" ? "1、倾听\n2、分享" : "好。"),
    );
    expect(asked(requests[0]!)).toContain("只写答案的提纲");
    expect(asked(requests[0]!)).toContain("每个要点不超过 10 个字");
    expect(outcome.answer.text).toBe("1. 倾听：好。\n2. 分享：好。");
  });
});
