import { readFileSync } from "node:fs";
import type {
  Clock,
  EventData,
  EventName,
  RunEvent,
  Sink,
  Terminal,
} from "@loopwright/core/plugin";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { consoleSink } from "./console.ts";

const START = Date.UTC(2026, 7, 24, 9);
const flagship = readFileSync(new URL("console/fixtures/flagship.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as RunEvent);

interface Setup {
  readonly columns?: number;
  readonly isInteractive?: boolean;
  readonly hasColors?: boolean;
  readonly level?: "quiet" | "normal" | "verbose";
  readonly showDeltas?: boolean;
}

function open(setup: Setup = {}) {
  const writes: string[] = [];
  const timers = new Set<() => void>();
  const time = { now: START };
  const terminal: Terminal = {
    write: (text) => void writes.push(text),
    isInteractive: setup.isInteractive ?? false,
    hasColors: setup.hasColors ?? false,
    columns: () => setup.columns,
  };
  const clock: Clock = {
    now: () => time.now,
    after: (_, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
  };
  const create = consoleSink.create as (options: object, services: object) => Sink;
  const { level = "normal", showDeltas = false } = setup;
  const sink = create({ level, showDeltas }, { terminal, clock });
  const tick = () => {
    for (const callback of Array.from(timers)) {
      timers.delete(callback);
      callback();
    }
  };
  return { sink, writes, timers, time, tick };
}

function told(events: readonly RunEvent[], setup: Setup = {}): string {
  const { sink, writes } = open(setup);
  for (const event of events) void sink.handle(event);
  return writes.join("");
}

/** What a terminal shows after the writes: carriage returns go back, erased lines are empty. */
function screenOf(writes: readonly string[]): string {
  const lines = [""];
  const text = writes.join("").replaceAll("\r\u001B[2K", "\r");
  for (const part of text.split(/(\r|\n)/u)) {
    if (part === "\n") lines.push("");
    else if (part.startsWith("\r")) lines[lines.length - 1] = "";
    else lines[lines.length - 1] += part;
  }
  return lines.join("\n");
}

let seq = 0;
function eventOf<N extends EventName>(
  name: N,
  data: EventData[N],
  place: Partial<RunEvent> = {},
): RunEvent {
  seq += 1;
  const envelope = {
    v: 1,
    id: `e${seq}`,
    seq,
    time: START,
    runId: "r1",
    spanId: "root",
    parentId: "",
    key: "",
    stage: "",
  };
  return { ...envelope, ...place, name, data } as unknown as RunEvent;
}

const NO_USAGE = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
const ANSWER = { text: "", value: null, evidence: [], solvable: true, unsolvableReason: "" };
const started = (place: Partial<RunEvent> = {}) =>
  eventOf(
    "run.start",
    { spec: "desk", version: "", programHash: "h", task: "Help.", inputs: {} },
    place,
  );
const ended = (data: Partial<EventData["run.end"]> = {}, place: Partial<RunEvent> = {}) =>
  eventOf(
    "run.end",
    {
      outcome: "done",
      verified: "none",
      answer: ANSWER,
      spending: { modelCalls: 0, toolCalls: 0, usage: NO_USAGE, usd: 0 },
      durationMs: 40,
      ...data,
    },
    place,
  );
const replied = (data: Partial<EventData["model-call.end"]>, place: Partial<RunEvent> = {}) =>
  eventOf(
    "model-call.end",
    {
      model: "m/x",
      outcome: "done",
      text: "",
      reasoning: "",
      toolCalls: [],
      usage: NO_USAGE,
      usd: 0,
      durationMs: 1,
      ...data,
    },
    place,
  );
const observed = (tool: string, content: string, input: object = {}) =>
  eventOf("observation.recorded", {
    id: "o1",
    tool,
    input: input as never,
    content,
    ok: true,
    degraded: false,
  });
const called = (tool: string, text: string = "{}") =>
  eventOf("tool-call.start", { tool, callId: "c", arguments: text });
const stage = (id: string, strategy: string, spanId: string, parentId: string = "root") =>
  eventOf("stage.start", { strategy, path: id }, { spanId, parentId, stage: id });

describe("console tells the flagship", () => {
  it.each([
    ["pipe.txt", {}],
    ["columns-100.txt", { columns: 100 }],
    ["columns-40.txt", { columns: 40 }],
    ["columns-30.txt", { columns: 30 }],
    ["colors.txt", { columns: 100, hasColors: true }],
    ["verbose.txt", { columns: 100, level: "verbose", showDeltas: true }],
    ["quiet.txt", { level: "quiet" }],
  ] as const)("as %s", async (file, setup) => {
    const text = told(flagship, setup).replaceAll("\u001B", "\\e");
    await expect(text).toMatchFileSnapshot(`console/fixtures/${file}`);
  });

  it.each([30, 40, 72, 100, 160])("within %i columns", (columns) => {
    for (const level of ["normal", "verbose"] as const) {
      const lines = told(flagship, { columns, level, showDeltas: true }).split("\n");
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});

describe("console on a terminal", () => {
  it("leaves the same text as without a status line, and no timer", () => {
    const setup = { columns: 100, isInteractive: true };
    const { sink, writes, timers, tick } = open(setup);
    for (const one of flagship) {
      void sink.handle(one);
      tick();
    }
    expect(screenOf(writes)).toBe(told(flagship, { columns: 100 }));
    expect(timers.size).toBe(0);
  });

  it("says what is happening, since when and at what cost, on one line that fits", () => {
    const wide = open({ columns: 100, isInteractive: true });
    const narrow = open({ columns: 30, isInteractive: true });
    const lines = [wide, narrow].map(({ sink, writes, time, tick }) => {
      for (const one of flagship.slice(0, 24)) void sink.handle(one);
      void sink.handle(stage("react", "react", "s90"));
      void sink.handle(
        eventOf("step.start", { index: 2, max: 6 }, { spanId: "s91", parentId: "s90" }),
      );
      const call = {
        model: "a/deepseek-v4",
        voice: "",
        messages: [],
        messagesBefore: 0,
        tools: [],
        requestHash: "",
      };
      void sink.handle(
        eventOf("model-call.start", call, { runId: "01k3f8", spanId: "s92", parentId: "s91" }),
      );
      time.now += 125_000;
      tick();
      return screenOf(writes).split("\n").at(-1) ?? "";
    });
    expect(lines).toMatchInlineSnapshot(`
      [
        "react: asking deepseek-v4 · 2m 05s · 2 calls · 1.0k tokens · $0.0006",
        "react: asking deeps… · 2m 05s",
      ]
    `);
    expect(stringWidth(lines[1] ?? "")).toBeLessThan(30);
  });

  it("leaves the terminal to a person who is asked", () => {
    const { sink, writes, timers } = open({ columns: 80, isInteractive: true });
    const asked = { id: "p", tool: "mail/send", input: { to: "a@b.c" }, reason: "" };
    for (const one of [started(), eventOf("approval.requested", asked)]) void sink.handle(one);
    expect(screenOf(writes).endsWith("\n")).toBe(true);
    expect(timers.size).toBe(0);
    void sink.handle(
      eventOf("approval.given", {
        id: "p",
        tool: "mail/send",
        approved: false,
        by: "person",
        reason: "no",
      }),
    );
    expect(timers.size).toBe(1);
    void sink.close?.();
    expect(timers.size).toBe(0);
  });
});

describe("console", () => {
  it("tells what was approved with other arguments, until when, and what looks like an attempt", () => {
    const id = "p";
    const input = { item: "nuts" };
    const text = told([
      eventOf("approval.requested", { id, tool: "ship", input, reason: "", expiresMs: 600_000 }),
      eventOf("approval.given", {
        id,
        tool: "ship",
        approved: true,
        by: "person",
        reason: "too many",
        input: { item: "bolts" },
      }),
      eventOf("approval.given", { id, tool: "ship", approved: false, by: "timeout", reason: "" }),
      eventOf("injection.suspected", {
        tool: "ship",
        observation: "observation-1",
        kinds: ["override", "terminal"],
      }),
    ]);
    expect(text).toMatchInlineSnapshot(`
      "approve?  ship  item: nuts
                · within 10m 00s, else no
      approved  ship by a person: too many
                → with item: bolts
      refused   ship nobody replied in time
      suspect   [observation-1] of ship: override, terminal
      "
    `);
  });

  it("tells how wishes are settled, what steps of a plan came to, and what became of hard constraints", () => {
    const step = { id: "step-1", objective: "Look.", needsExternalInfo: true, dependsOn: [] };
    const planned = { ...step, successCondition: "", status: "open" as const, evidence: [] };
    const evidence = ["observation-1"];
    const text = told([
      eventOf("plan.made", {
        plan: {
          goal: "Fly.",
          constraints: [],
          conflicts: ["cheap against direct: which (the price of each)"],
          tradeoffs: ["short against complete: a compromise"],
          steps: [planned],
        },
      }),
      eventOf("fact.told", { fact: "constraints.kept", data: { constraints: ["Not by night."] } }),
      eventOf("fact.told", { fact: "replan.refused", data: { reason: "no further plan" } }),
      eventOf("plan-step.ended", { step: "step-1", status: "done", evidence, because: "It is 4." }),
      eventOf("plan-step.ended", { step: "step-1", status: "open", evidence: [], because: "" }),
    ]);
    expect(text).toMatchInlineSnapshot(`
      "plan      Fly.
                1. Look.
                · settled: short against complete: a compromise
                ! conflict: cheap against direct: which (the price of each)
      plan      hard constraint missing from the draft, put back: Not by night.
      plan      no other one: no further plan
      plan step step-1 done: It is 4.
                · rests on [observation-1]
      plan step step-1 is open again
      "
    `);
  });

  it("tells what goes wrong at a tool and what is done about it, short waits left out", () => {
    const fault = { code: "tool-timeout", message: "stock did not answer." };
    const tool = "stock";
    const changes = [
      { path: "city", from: "Shanghai, China", to: "Shanghai" },
      { path: "", from: "{'n': 4}", to: { n: 4 } },
    ];
    const text = told([
      eventOf("tool.retried", { tool, fault, attempt: 1, attempts: 3, waitMs: 1_500 }),
      eventOf("tool.delayed", { tool, reason: "rate", waitMs: 999 }),
      eventOf("tool.delayed", { tool, reason: "rate", waitMs: 6_000 }),
      eventOf("tool.delayed", { tool, reason: "parallel", waitMs: 2_000 }),
      eventOf("tool.rested", { tool, failures: 3, restMs: 30_000 }),
      eventOf("arguments.normalized", { tool, callId: "call-1", changes }),
      eventOf("loop.detected", { tool, times: 3, measure: "hint" }),
      eventOf("loop.detected", { tool, times: 4, cycle: ["stock", "look"], measure: "tools-off" }),
    ]);
    expect(text).toMatchInlineSnapshot(`
      "retry     stock: stock did not answer; again in 1.5s (attempt 1 of 3 failed)
      delay     stock waits for its rate: 6.0s
      delay     stock waited for other calls of it: 2.0s
      breaker   stock failed 3 times in a row: not called for 30s
      read as   stock  city: "Shanghai, China" read as Shanghai; "{'n': 4}" read as n: 4
      repeat    stock, 3 times with nothing new
      repeat    stock, look in a circle, 4 times with nothing new; its stage goes on without tools
      "
    `);
  });

  it("tells what is odd about a set of tools, and not what it lists", () => {
    const set = "shop";
    const tools = [
      { name: "shop/buy", effect: "once", suspect: ["override"] },
      { name: "shop/look", effect: "read" },
    ] as const;
    const text = told([
      eventOf("tools.unlisted", { set, message: "no route" }),
      eventOf("tools.noted", { set, message: "it prints what is no message" }),
      eventOf("tool.dropped", { set, tool: "odd", reason: "its name is none" }),
      eventOf("tools.listed", { set, tools, dropped: 1 }),
      eventOf("tools.listed", { set, tools: [], dropped: 0 }),
    ]);
    expect(text).toMatchInlineSnapshot(`
      "tools     shop: no route; asked once more
      tools     shop: it prints what is no message
      tools     shop lists odd, which can't be used: its name is none
      suspect   the description of shop/buy: override
      "
    `);
  });

  it("tells what people did to the run", () => {
    const calm = { switch: "calm", stages: ["look"], tools: ["stock"], limits: { modelCalls: 9 } };
    const text = told([
      eventOf("switch.changed", { ...calm, isOn: true }),
      eventOf("switch.changed", { ...calm, isOn: false }),
      eventOf("message.received", { number: 1, text: "Only nuts." }),
      eventOf("message.shared", { number: 1 }),
      eventOf("message.missed", { number: 2, text: "And bolts." }),
    ]);
    expect(text).toContain("calm is on (off: look, stock; at most modelCalls 9)");
    expect(text).toContain("calm is off again (back: look, stock; no longer at most modelCalls 9)");
    expect(text.split("Only nuts.")).toHaveLength(2);
    expect(text).toContain("came too late to be read: And bolts.");
  });

  it("says why a run failed at once", () => {
    const fault = {
      code: "provider-key-missing",
      message: "no key for deepseek; set DEEPSEEK_API_KEY",
    };
    expect(told([ended({ outcome: "failed", fault })])).toMatchInlineSnapshot(`
      "
      ✗ failed · not verified
        no key for deepseek; set DEEPSEEK_API_KEY (provider-key-missing)
        0 model calls · 0.0s
      "
    `);
  });

  it("tells what goes wrong at an endpoint and what is done about it, short waits left out", () => {
    const model = "kimi/k3";
    const fault = { code: "provider-unavailable", message: "Kimi answered 429." };
    const retried = { model, fault, attempt: 1, attempts: 3, waitMs: 1_500 };
    const at = { spanId: "s1" };
    const events = [
      started(),
      stage("direct", "direct", "s1"),
      eventOf("call.retried", { ...retried, nextModel: model }, at),
      eventOf("call.retried", { ...retried, attempt: 3, nextModel: "qwen/q", waitMs: 0 }, at),
      eventOf("call.delayed", { model, reason: "tokens", waitMs: 999 }, at),
      eventOf("call.delayed", { model, reason: "requests", waitMs: 12_000 }, at),
      eventOf("call.delayed", { model, reason: "parallel", waitMs: 1_000 }, at),
      eventOf("breaker.opened", { model, failures: 5, restMs: 30_000 }, at),
      eventOf(
        "constraint.lowered",
        { model, from: "json-schema", to: "json-mode", reason: "it knows no schemas" },
        at,
      ),
      eventOf(
        "constraint.loosened",
        { model, schema: "answer", dialect: "mfjs", parts: ["pattern at code"] },
        at,
      ),
      eventOf(
        "output.dead-lettered",
        { file: "letters.jsonl", code: "output-invalid", attempts: 2 },
        at,
      ),
    ];
    expect(told(events)).toMatchInlineSnapshot(`
      "desk
        Help.

      direct
        retry     Kimi answered 429; the same model again in 1.5s (attempt 1 of 3 failed)
        retry     Kimi answered 429; now qwen/q
        delay     kimi/k3 waits 12s for the rate of its account
        delay     kimi/k3 waited 1.0s for other calls of its account
        breaker   kimi/k3 failed 5 times in a row: no call for 30s
        lowered   kimi/k3 is asked on json-mode, not on json-schema: it knows no schemas
        loosened  kimi/k3 can't be held to all of \`answer\`: pattern at code
        kept      no valid answer after 2 replies (output-invalid): the input is in letters.jsonl
      "
    `);
    expect(told(events, { level: "quiet" })).toBe("");
  });

  it("tells the fault that climbs through the stages once, and what a limited run leaves", () => {
    const fault = { code: "limit-model-calls", message: "the limit of 60 model calls is reached" };
    const events = [
      started(),
      stage("plan", "plan-and-solve", "s1"),
      stage("react", "react", "s2", "s1"),
      eventOf(
        "limit.reached",
        { limit: "modelCalls", soft: false, used: 60, max: 60 },
        { spanId: "s2" },
      ),
      eventOf(
        "stage.end",
        { strategy: "react", outcome: "limited", fault },
        { spanId: "s2", parentId: "s1" },
      ),
      eventOf(
        "stage.end",
        { strategy: "plan-and-solve", outcome: "limited", fault },
        { spanId: "s1" },
      ),
      ended({
        outcome: "limited",
        reason: fault.message,
        answer: { ...ANSWER, text: "Half of it." },
      }),
    ];
    expect(told(events)).toMatchInlineSnapshot(`
      "desk
        Help.

      plan (plan-and-solve)
        react
          limit     modelCalls: 60 of 60, stopping here
          limited   the limit of 60 model calls is reached

      ◐ limited · not verified
        the limit of 60 model calls is reached

        Half of it.

        0 model calls · 0.0s
      "
    `);
  });

  it.each(["quiet", "normal", "verbose"] as const)("says at level %s why a run ended", (level) => {
    const endings = [
      ["failed", "provider-rejected", "the endpoint refused the request: 400"],
      ["limited", "limit-usd", "the limit of $0.10 is reached"],
      ["aborted", "aborted", "the host aborted the run"],
    ] as const;
    for (const [outcome, code, message] of endings) {
      // As core ends a run: the reason is the fault's message.
      const end = ended({ outcome, reason: message, fault: { code, message } });
      const why = code === outcome ? message : `${message} (${code})`;
      expect(told([started(), end], { level })).toContain(` ${outcome} · not verified\n  ${why}\n`);
    }
  });

  it("tells how many fields patterns found and how many the model, and what was not read", () => {
    const factNote = (fact: string, data: EventData["fact.told"]["data"]) =>
      told([eventOf("fact.told", { fact, data })]);
    const share = { of: 6, byPattern: 4, byModel: 1, absent: ["day"], unsupported: [] };
    expect(factNote("fields.extracted", share)).toBe(
      "extracted 4 of 6 fields by pattern, 1 by the model; not found: day\n",
    );
    expect(factNote("fields.extracted", { ...share, unsupported: ["name"] })).toContain(
      "without the words of the text: name",
    );
    expect(factNote("fields.extracted", { ...share, tooLong: ["body"] })).toContain(
      "; too long for a pattern: body\n",
    );
    expect(factNote("text.unread", { characters: 900 })).toBe(
      "unread    900 characters of the text\n",
    );
    expect(factNote("items.left-out", { count: 2, maxItems: 3, option: "maxPoints" })).toContain(
      "2 items above the 3 of `maxPoints`",
    );
    for (const fact of ["fields.extracted", "text.unread"]) expect(factNote(fact, "odd")).toBe("");
  });

  it("says at the end where tokens are an estimate", () => {
    const note = "tokens are estimated: an endpoint told no counts";
    expect(told([started(), replied({}), ended()])).not.toContain(note);
    const events = [started(), replied({ isUsageEstimated: true }), replied({}), ended()];
    expect(told(events).split(note)).toHaveLength(2);
  });

  it("says why there is no solution, once", () => {
    const answer = { ...ANSWER, text: "I found two.", solvable: false };
    const reason = "both orders are A1";
    for (const level of ["quiet", "normal"] as const) {
      const text = told([ended({ answer: { ...answer, unsolvableReason: reason } })], { level });
      expect(text).toContain(
        " · no solution\n\n  I found two.\n\n  no solution: both orders are A1\n",
      );
    }
    const said = { ...answer, text: reason, unsolvableReason: reason };
    expect(told([ended({ answer: said })]).split(reason)).toHaveLength(2);
    expect(told([ended({ answer: { ...said, text: "" }, reason })]).split(reason)).toHaveLength(2);
    expect(told([ended({ answer })])).not.toContain("no solution:");
  });

  it.each(["quiet", "normal", "verbose"] as const)(
    "tells at level %s in one line that a memory failed",
    (level) => {
      const data = {
        memory: "notes",
        code: "memory-failed",
        message: "can't read\n/tmp/x: EISDIR",
      };
      const text = told([eventOf("memory.failed", data)], { level });
      expect(text).toBe("memory    notes: can't read /tmp/x: EISDIR\n");
    },
  );

  it("tells at level normal that calls were refused, and other facts of strategies at verbose", () => {
    const refused = eventOf("fact.told", { fact: "calls.refused", data: { count: 2, max: 3 } });
    const other = eventOf("fact.told", { fact: "tree.grown", data: { depth: 2 } });
    expect(told([refused, other])).toBe("refused   2 calls above the 3 of a step\n");
    expect(told([refused, other], { level: "verbose" })).toContain("tree.grown  depth: 2");
    expect(told([refused, other], { level: "quiet" })).toBe("");
    const odd = eventOf("fact.told", { fact: "calls.refused", data: "many" });
    expect(told([odd])).toBe("");
  });

  it("tells what strategies did, layer by layer, and any fact with a list, bounded", () => {
    const factNote = (fact: string, data: EventData["fact.told"]["data"]) =>
      told([eventOf("fact.told", { fact, data })]);
    const step = { id: "E2", tool: "calculator", plan: "Add.", dependsOn: ["E1"] };
    expect(factNote("tool-plan.made", { steps: [step] })).toBe(
      "plan      1 calls at once\n          · E2 calculator after E1: Add.\n",
    );
    const mark = { hypothesis: "h1", mark: "refutes", because: "no errors", evidence: "o-1" };
    expect(factNote("hypothesis.marked", mark)).toBe("mark      h1 refutes: no errors [o-1]\n");
    expect(factNote("thought.rule-broken", { rule: "invented-values", detail: "42" })).toBe(
      "thought   against the rule invented-values: 42\n",
    );
    expect(factNote("format.rejected", { mode: "text", count: 1, reason: "no action" })).toBe(
      "misfit    no step in the form of mode text: no action\n",
    );
    const leaves = Array.from({ length: 11 }, (_, index) => `leaf ${index}`);
    const text = factNote("tree.grown", { depth: 2, leaves });
    expect(text).toContain("told      tree.grown  depth: 2\n          · leaf 0\n");
    expect(text).toContain("· leaf 7\n          … and 3 more\n");
  });

  it("says at the end which items failed, and that a stopped run left what stood then", () => {
    const failed = [{ key: "b", reason: "no reply" }];
    const fact = eventOf("fact.told", { fact: "items.failed", data: { failed, of: 2 } });
    const text = told([started(), fact, ended({ reason: "Nobody replied to: Who?" })]);
    expect(text).toMatch(/failed {4}1 of 2 items failed\n {10}· b: no reply\n/u);
    expect(text.slice(text.indexOf("Nobody replied"))).toMatch(
      /^Nobody replied to: Who\?\n {2}the run stopped here; the answer is what stood then\n {2}1 of 2 items of .* failed: b: no reply\n/u,
    );
  });

  it("wants no pieces of replies where it shows none", () => {
    const piece = eventOf("model-call.delta", { kind: "text", text: "a" });
    expect(open().sink.wants?.(piece)).toBe(false);
    expect(open({ showDeltas: true }).sink.wants?.(piece)).toBe(true);
    const { sink } = open({ isInteractive: true, columns: 80 });
    expect([piece, piece].map((one) => sink.wants?.(one))).toEqual([true, false]);
  });

  it("tells in one line that items of a list were left out", () => {
    const leftOut = (data: EventData["fact.told"]["data"]) =>
      eventOf("fact.told", { fact: "items.left-out", data });
    const line = "left out  1 item above the 2 of `maxItems`\n";
    expect(told([leftOut({ count: 1, maxItems: 2 })])).toBe(line);
    expect(told([leftOut({ count: 1, maxItems: 2 })], { level: "quiet" })).toBe("");
    expect(told([leftOut("many")])).toBe("");
  });

  it("tells what nobody looked at, and what counts where nobody replied", () => {
    const fact = (name: string, data: EventData["fact.told"]["data"]) =>
      told([eventOf("fact.told", { fact: name, data })]);
    const unchecked = fact("answer.unchecked", { unchecked: ["Be polite.", "Promise nothing."] });
    expect(unchecked).toContain("no verdict: nobody looked at 2 points\n");
    expect(unchecked).toContain("Promise nothing.");
    expect(fact("reply.stood-in", { reply: "cheap" })).toBe("reply     by default: cheap\n");
    expect(fact("reply.stood-in", { reply: "" })).toBe("reply     goes on with an empty one\n");
  });

  it.each([
    ["no-terminal", "nobody to ask: what the spec says for no answer holds"],
    ["timeout", "no reply in time: what the spec says for no answer holds"],
    ["person", "no reply: what the spec says for no answer holds"],
  ] as const)("says what holds where a question has no reply (%s)", (by, words) => {
    const data = { id: "q", answered: false, reply: "", by };
    expect(told([eventOf("question.answered", data)])).toBe(`reply     ${words}\n`);
  });

  it("names the tool of an observation where several were called", () => {
    const events = [
      started(),
      called("a/x", '{"n":1}'),
      called("a/x", '{"n":2}'),
      observed("a/x", "one", { n: 1 }),
    ];
    expect(told(events)).toMatchInlineSnapshot(`
      "desk
        Help.
      action    a/x  n: 1
      action    a/x  n: 2
      observed  [o1] a/x (n: 1): one
      "
    `);
  });

  it("finds the thought of a reply that acts in text or in JSON", () => {
    const text = "Thought: I look it up.\nAction: search[parcel]";
    const json = '{"thought":"I count first.","tool":"count"}';
    expect(
      told([
        started(),
        replied({ text }),
        called("search"),
        replied({ text: json }),
        called("count"),
      ]),
    ).toMatchInlineSnapshot(`
      "desk
        Help.
      thought   I look it up.
      action    search
      thought   I count first.
      action    count
      "
    `);
  });

  it("says in which branch a stage works, and whose answer a stage takes over", () => {
    const begun = (id: string, strategy: string, path: string, parentId: string) =>
      eventOf(
        "stage.start",
        { strategy, path: id },
        { spanId: id, parentId, stage: id, key: path },
      );
    const revised = (spanId: string, by: string) =>
      eventOf(
        "answer.revised",
        { ...ANSWER, text: "A.", revision: 2, by },
        { spanId, stage: spanId },
      );
    const events = [
      started(),
      begun("parallel", "parallel", "run/parallel:0", "root"),
      begun("direct", "direct", "run/parallel:0/fanOut:0/left/direct:0", "parallel"),
      begun("look", "verify", "run/parallel:0/fanOut:0/right/look:0", "parallel"),
      begun("refine", "refine", "run/parallel:0/fanOut:0/right/look:0/refine:0", "look"),
      revised("direct", "direct"),
      revised("refine", "refine"),
      revised("parallel", "refine"),
    ];
    expect(told(events)).toMatchInlineSnapshot(`
      "desk
        Help.

      parallel
        direct in left
          revised   A.
        look (verify) in right
          refine
            revised   A.
        revised   A.
                  · by refine
      "
    `);
  });

  it("prints parallel stages under their own headings, and several runs under theirs", () => {
    const say = (spanId: string, runId: string = "r1") =>
      replied({ reasoning: `in ${spanId}` }, { spanId, runId });
    const events = [
      started(),
      stage("a", "direct", "s1"),
      stage("b", "direct", "s2"),
      say("s1"),
      say("s2"),
      say("s1"),
    ];
    const other = [started({ runId: "r2" }), say("root", "r1"), ended({}, { runId: "r2" })];
    expect(told([...events, ...other])).toMatchInlineSnapshot(`
      "desk
        Help.

      a (direct)
        thought   in s1

      b (direct)
        thought   in s2

      a (direct)
        thought   in s1

      desk
        Help.

      desk r1
      thought   in root

      desk r2

      ● done · not verified
        (no answer)
        0 model calls · 0.0s
      "
    `);
  });

  it("makes escapes of a model or a tool harmless", () => {
    const evil = "\u001b]0;title\u0007\u001b[2J\rhidden\u202Etxt";
    const events = [replied({ reasoning: evil }), called(evil, evil), observed(evil, evil)];
    expect(told(events, { columns: 60 })).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
  });
});

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("\u001b[31m", "\r", "{", "订单\n", ""),
);
const small = fc.integer({ min: 0, max: 3 }).map((n) => `s${n}`);
const count = fc.nat(2_000_000);
const issue = fc.record({
  kind: text,
  detail: text,
  requiredAction: text,
  needs: fc.constant("plan"),
});
const lesson = fc.record({ trigger: text, lesson: text, avoid: text });
const step = fc.record({
  id: small,
  objective: text,
  successCondition: text,
  dependsOn: fc.array(small),
  status: fc.constant("done"),
});
const usage = fc.record({
  input: count,
  cacheRead: count,
  cacheWrite: count,
  output: count,
  reasoning: count,
});
const fault = fc.record({ code: text, message: text });
const ending = {
  outcome: fc.constantFrom("done", "failed", "limited", "aborted", "skipped"),
  fault: fc.option(fault, { nil: undefined }),
};
const answer = { text, value: fc.jsonValue(), evidence: fc.array(text), solvable: fc.boolean() };
const lastAnswer = fc.record({ ...answer, unsolvableReason: text });
const plan = fc.record({
  plan: fc.record({
    goal: text,
    conflicts: fc.array(text),
    tradeoffs: fc.option(fc.array(text), { nil: undefined }),
    steps: fc.array(step),
  }),
});
const toolCalls = fc.array(fc.record({ id: text, name: text, arguments: text }), { maxLength: 1 });

const ANY_DATA: { readonly [N in EventName]: fc.Arbitrary<unknown> } = {
  "run.start": fc.record({
    spec: text,
    version: text,
    programHash: text,
    task: text,
    inputs: fc.dictionary(text, fc.jsonValue()),
  }),
  "run.end": fc.record({
    outcome: fc.constantFrom("done", "failed", "limited", "aborted"),
    verified: fc.constantFrom("pass", "revise", "fail", "stale", "none"),
    answer: lastAnswer,
    spending: fc.record({
      modelCalls: count,
      toolCalls: count,
      usage,
      usd: fc.double({ min: 0, max: 100, noNaN: true }),
    }),
    durationMs: count,
    reason: fc.option(text, { nil: undefined }),
    fault: ending.fault,
  }),
  "stage.start": fc.record({ strategy: text, path: text }),
  "stage.end": fc.record({ strategy: text, ...ending }),
  "step.start": fc.record({ index: count, max: count }),
  "step.end": fc.record({ index: count, outcome: ending.outcome }),
  "model-call.start": fc.record({ model: text, voice: text, requestHash: text }),
  "model-call.delta": fc.record({ kind: fc.constantFrom("text", "reasoning"), text }),
  "model-call.end": fc.record({
    model: text,
    text,
    reasoning: text,
    toolCalls,
    finishReason: fc.constantFrom("stop", "length"),
    usage,
    usd: fc.constant(0.1),
    durationMs: count,
    ...ending,
  }),
  "tool-call.start": fc.record({ tool: text, callId: text, arguments: fc.oneof(text, fc.json()) }),
  "tool-call.end": fc.record({
    tool: text,
    callId: text,
    cached: fc.boolean(),
    durationMs: count,
    ...ending,
  }),
  "plan.made": plan,
  "plan.revised": plan,
  "plan-step.ended": fc.record({
    step: text,
    status: fc.constantFrom("done", "failed", "open"),
    evidence: fc.array(text),
    because: text,
  }),
  "thought.given": fc.record({ text, isEvidence: fc.constant(false) }),
  "choice.made": fc.record({
    chosen: text,
    considered: fc.array(fc.record({ option: text, reason: text })),
  }),
  "observation.recorded": fc.record({
    id: text,
    tool: text,
    input: fc.jsonValue(),
    content: text,
    ok: fc.boolean(),
    degraded: fc.boolean(),
    notes: fc.option(fc.array(text), { nil: undefined }),
  }),
  "answer.given": fc.record({ ...answer, revision: count, by: text }),
  "answer.revised": fc.record({ ...answer, revision: count, by: text }),
  "verdict.given": fc.record({
    outcome: fc.constantFrom("pass", "revise", "fail"),
    issues: fc.array(issue),
    answerRevision: count,
    unchecked: fc.array(text),
  }),
  "lessons.recalled": fc.record({ memory: text, lessons: fc.array(lesson) }),
  "lesson.learned": fc.record({ memory: text, lesson }),
  "lesson.refused": fc.record({ memory: text, lesson: text, reason: text }),
  "memory.failed": fc.record({ memory: text, code: text, message: text }),
  "vote.counted": fc.record({
    votes: fc.array(fc.record({ answer: text, count })),
    winner: text,
    samples: count,
    counted: count,
  }),
  "output.repaired": fc.record({ repairs: fc.array(text) }),
  "output.rejected": fc.record({ code: text, message: text, attempt: count, attempts: count }),
  "call.retried": fc.record({
    model: text,
    nextModel: text,
    fault,
    attempt: count,
    attempts: count,
    waitMs: count,
  }),
  "call.delayed": fc.record({
    model: text,
    reason: fc.constantFrom("requests", "tokens", "parallel", "retry-after"),
    waitMs: count,
  }),
  "breaker.opened": fc.record({ model: text, failures: count, restMs: count }),
  "constraint.lowered": fc.record({ model: text, from: text, to: text, reason: text }),
  "constraint.loosened": fc.record({
    model: text,
    schema: text,
    dialect: text,
    parts: fc.array(text),
  }),
  "output.dead-lettered": fc.record({ file: text, code: text, attempts: count }),
  "tools.listed": fc.record({
    set: text,
    tools: fc.array(fc.record({ name: text, effect: fc.constant("read" as const) })),
    dropped: count,
  }),
  "tools.unlisted": fc.record({ set: text, message: text }),
  "tools.noted": fc.record({ set: text, message: text }),
  "tool.dropped": fc.record({ set: text, tool: text, reason: text }),
  "tool.retried": fc.record({
    tool: text,
    fault,
    attempt: count,
    attempts: count,
    waitMs: count,
  }),
  "tool.delayed": fc.record({
    tool: text,
    reason: fc.constantFrom("rate", "parallel"),
    waitMs: count,
  }),
  "tool.rested": fc.record({ tool: text, failures: count, restMs: count }),
  "arguments.normalized": fc.record({
    tool: text,
    callId: small,
    changes: fc.array(fc.record({ path: text, from: fc.jsonValue(), to: fc.jsonValue() })),
  }),
  "loop.detected": fc.record(
    {
      tool: text,
      times: count,
      cycle: fc.array(text),
      measure: fc.constantFrom("hint", "tools-off"),
    },
    { requiredKeys: ["tool", "times", "measure"] },
  ),
  "limit.reached": fc.record({
    limit: fc.constantFrom("usd", "tokens"),
    soft: fc.boolean(),
    used: count,
    max: count,
  }),
  "switch.changed": fc.record({
    switch: text,
    isOn: fc.boolean(),
    stages: fc.array(text),
    tools: fc.array(text),
    limits: fc.record({ modelCalls: count }, { requiredKeys: [] }),
  }),
  "message.received": fc.record({ number: count, text }),
  "message.shared": fc.record({ number: count }),
  "message.missed": fc.record({ number: count, text }),
  "injection.suspected": fc.record({
    tool: text,
    observation: text,
    kinds: fc.array(fc.constantFrom("override", "terminal")),
  }),
  "approval.requested": fc.record({
    id: small,
    tool: text,
    input: fc.jsonValue(),
    reason: text,
    expiresMs: fc.option(count, { nil: undefined }),
  }),
  "approval.given": fc.record({
    id: small,
    tool: text,
    approved: fc.boolean(),
    by: fc.constantFrom("person", "policy", "no-terminal", "timeout"),
    reason: text,
    input: fc.option(fc.jsonValue(), { nil: undefined }),
  }),
  "question.asked": fc.record({ id: small, question: text, options: fc.array(text) }),
  "question.answered": fc.record({
    id: small,
    answered: fc.boolean(),
    reply: text,
    by: fc.constantFrom("person", "timeout", "no-terminal"),
  }),
  "effect.stubbed": fc.record({ tool: text, input: fc.jsonValue() }),
  "sink.failed": fc.record({ sink: text, message: text }),
  "events.dropped": fc.record({ sink: text, count }),
  "fact.told": fc.record({ fact: text, data: fc.jsonValue() }),
};

const anyEvent = fc
  .constantFrom(...(Object.keys(ANY_DATA) as EventName[]))
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      data: ANY_DATA[name],
      spanId: small,
      parentId: small,
      stage: text,
      runId: fc.constantFrom("r1", "r2"),
    }),
  )
  .map(({ name, data, ...place }) => eventOf(name, data as never, place));
const anyEvents = fc.array(anyEvent, { maxLength: 40 }).map((events) => [started(), ...events]);
const anyLevel = fc.constantFrom("quiet", "normal", "verbose");

describe("console, given any events in any order", () => {
  it("never throws, and writes plain lines in a pipe", () => {
    fc.assert(
      fc.property(anyEvents, anyLevel, fc.boolean(), (events, level, showDeltas) => {
        expect(told(events, { level, showDeltas })).not.toMatch(/[^\P{Cc}\n]/u);
      }),
      { numRuns: 300 },
    );
  });

  it("stays within a terminal, whose only escapes are its own", () => {
    fc.assert(
      fc.property(
        anyEvents,
        anyLevel,
        fc.integer({ min: 30, max: 120 }),
        (events, level, columns) => {
          const { sink, writes } = open({ level, columns, isInteractive: true, showDeltas: true });
          for (const one of events) void sink.handle(one);
          for (const line of screenOf(writes).split("\n")) {
            expect(line).not.toMatch(/\p{Cc}/u);
            expect(stringWidth(line)).toBeLessThanOrEqual(columns);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
