import type { RunEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

function factsOf(events: readonly RunEvent[], name: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.name === "fact.told" && event.data.fact === name ? [event.data.data] : [],
  );
}

function step(id: string, ...dependsOn: readonly string[]) {
  return {
    id,
    objective: `do ${id}`,
    needsExternalInfo: false,
    successCondition: "done",
    dependsOn,
  };
}

const planOf = (...steps: readonly object[]) => ({
  json: { goal: "g", constraints: [], conflicts: [], steps: [...steps] as never },
});

/** What a request asks last, as text. */
function askedIn({
  messages,
}: {
  readonly messages: readonly { readonly role: string }[];
}): string {
  return JSON.stringify(messages.at(-1));
}

describe("for-each", () => {
  it("gives every item its task, and leaves a list of results in their order", async () => {
    const { outcome, events, requests } = await runScripted(
      `inputs: { words: { type: array, items: { type: string }, maxItems: 3, default: [a, b, c] } }
strategy:
  - for-each: { id: each, in: inputs.words, item: word, task: "Spell {{ word }}.", do: direct }
  - direct:
      id: report
      prompt: "{{# results.each }}{{ item.task }}={{ item.answer.text }};{{/ results.each }}"
`,
      (request) => {
        if (request.stage === "report") return (request.messages.at(-1) as { text: string }).text;
        return `spelled ${/Spell (\w)/.exec(askedIn(request))?.[1]}`;
      },
    );
    expect(outcome).toMatchObject({ outcome: "done" });
    expect(outcome.answer.text).toBe("Spell a.=spelled a;Spell b.=spelled b;Spell c.=spelled c;");
    expect(outcome.state.results["each"]?.items).toMatchObject([
      { key: "1", item: "a", task: "Spell a.", ok: true, reason: "", text: "spelled a" },
      { key: "2", item: "b", ok: true, text: "spelled b" },
      { key: "3", item: "c", ok: true, text: "spelled c" },
    ]);
    expect(requests).toHaveLength(4);
    expect(outcome.state.task.text).not.toContain("Spell");
    expect(unbalanced(events)).toEqual([]);
    expect(misnested(events)).toEqual([]);
  });

  it("is seen by its name in guards, prompts and policies inside", async () => {
    const { outcome, requests } = await runScripted(
      `tools: { stock: { deny: { when: args.item == "nut" } } }
strategy:
  for-each:
    in: '["nut", "bolt"]'
    item: word
    maxItems: 2
    do:
      - react: { instructions: "Only {{ word }}.", when: 'word == "bolt"' }
`,
      ({ messages }) => (messages.at(-1)?.role === "user" ? calling("stock", "bolt") : "4"),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "done" });
    expect(outcome.state.observations.map(({ id }) => id)).toEqual(["item:2.observation-1"]);
    expect(requests[0]?.messages[0]).toMatchObject({
      text: expect.stringContaining("Only bolt."),
    });
  });

  it("honours `dependsOn`: a step sees what those before it came to", async () => {
    const order: string[] = [];
    const { outcome } = await runScripted(
      `strategy:
  - plan: { maxPlanSteps: 4 }
  - for-each:
      id: each
      in: plan.steps
      item: step
      task: "{{ step.objective }}"
      do: { direct: { prompt: "{{ task.text }} after {{# results.each }}{{ item.key }} {{/ results.each }}" } }
`,
      (request) => {
        if (request.stage === "plan")
          return planOf(step("a"), step("b", "a"), step("c"), step("d", "b", "c"));
        const asked = (request.messages.at(-1) as { text: string }).text;
        order.push(asked.trim());
        return asked.slice(0, 4);
      },
    );
    expect(order).toEqual(["do a after", "do c after", "do b after a c", "do d after a b c"]);
    expect(outcome.state.results["each"]?.items?.map(({ text }) => text)).toEqual([
      "do a",
      "do b",
      "do c",
      "do d",
    ]);
  });

  it("leaves out what depends on an item that failed, and says so", async () => {
    const { outcome, events } = await runScripted(
      `strategy:
  - plan: { maxPlanSteps: 4 }
  - for-each: { id: each, in: plan.steps, item: step, task: "{{ step.objective }}", do: direct, combine: { direct: { id: join } } }
`,
      (request) => {
        if (request.stage === "plan")
          return planOf(step("a"), step("b", "a"), step("c", "b"), step("d"));
        if (request.stage === "join") return "joined";
        return askedIn(request).includes("Task\\ndo a")
          ? { error: { code: "provider-failed", message: "down" } }
          : "fine";
      },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "joined" } });
    expect(outcome.state.results["each"]?.items).toMatchObject([
      { key: "a", ok: false, reason: "down" },
      { key: "b", ok: false, reason: "left out: it depends on a, which did not end well" },
      { key: "c", ok: false, reason: "left out: it depends on b, which did not end well" },
      { key: "d", ok: true, reason: "", text: "fine" },
    ]);
    expect(factsOf(events, "items.failed")).toMatchObject([{ of: 4 }]);
  });

  it("takes `maxItems` of a longer list, and tells the rest", async () => {
    const { outcome, events, requests } = await runScripted(
      `inputs: { words: { type: array, items: { type: string }, default: [a, b, c, d] } }
strategy: { for-each: { in: inputs.words, item: word, maxItems: 3, do: direct } }
`,
      () => "fine",
    );
    expect(requests).toHaveLength(3);
    expect(outcome.state.results["for-each"]?.items).toHaveLength(3);
    expect(factsOf(events, "items.left-out")).toEqual([{ count: 1, maxItems: 3 }]);
    expect(outcome.answer.revision).toBe(0);
  });

  it("fails where no item ends well, and does nothing for an empty list", async () => {
    const failed = await runScripted(
      "strategy: { for-each: { in: '[1, 2]', item: number, maxItems: 2, do: direct } }\n",
      () => ({ error: { code: "provider-failed", message: "down" } }),
    );
    expect(failed.outcome).toMatchObject({ outcome: "failed" });
    expect(failed.outcome.reason).toContain("none of 2 items ended well");
    const empty = await runScripted(
      "strategy: { for-each: { in: answer.evidence, item: id, maxItems: 2, do: direct } }\n",
      [],
    );
    expect(empty.outcome).toMatchObject({ outcome: "done" });
    expect(empty.outcome.state.results["for-each"]).toMatchObject({ ran: true, items: [] });
  });
});
