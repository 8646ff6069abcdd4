import { Clock, type PendingApproval, provide, type Run } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const SHIP = "tools: [ship]\nstrategy: react\n";
const TEN_MINUTES = "tools: { ship: { approval: always, expires: 10m } }\nstrategy: react\n";

/** A tool with an effect, and what it was executed with. */
function shipping() {
  const shipped: string[] = [];
  const ship = toolOf(
    "ship",
    (item) => {
      shipped.push(item);
      return `${item} is out`;
    },
    "once",
  );
  return { ship, shipped };
}

/** Does something with each approval that is asked for, once the run waits for it. */
function onAsked(live: Run, act: (asked: PendingApproval, live: Run) => unknown): void {
  live.on("approval.requested", ({ data: { id } }) => {
    setImmediate(() => {
      const asked = live.pending().find((request) => request.id === id);
      if (asked?.kind === "approval") void act(asked, live);
    });
  });
}

function given(run: ScriptedRun): readonly unknown[] {
  return run.events.filter(({ name }) => name === "approval.given").map(({ data }) => data);
}

describe("an approval that expires", () => {
  it("is refused when nobody replies in time, and the model is told", async () => {
    const { ship, shipped } = shipping();
    const clock = testClock();
    const late: unknown[] = [];
    const run = await runScripted(TEN_MINUTES, [calling("ship", "nuts"), "not done"], {
      plugins: [ship],
      services: [provide(Clock, clock)],
      onRun: (live) => {
        live.on("approval.given", ({ data: { id } }) => {
          const reply = { approved: true };
          late.push(live.respond(id, reply), live.problemsWith(id, reply));
        });
        onAsked(live, async ({ expiresAt }) => {
          late.push((expiresAt ?? 0) - clock.now());
          await clock.advance(599_999);
          late.push(live.pending().length);
          await clock.advance(1);
        });
      },
    });
    expect(shipped).toEqual([]);
    expect(given(run)).toMatchObject([{ approved: false, by: "timeout" }]);
    expect(late).toEqual([600_000, 1, false, [expect.stringContaining("nothing waits")]]);
    expect(run.requests[1]?.messages.at(-1)?.text).toMatch(
      /nobody approved this call .* within 10m/,
    );
    expect(run.events.find(({ name }) => name === "approval.requested")?.data).toMatchObject({
      expiresMs: 600_000,
    });
    expect(clock.timers).toBe(0);
  });

  it("tells that a rule of the host decided, and takes no other word for who did", async () => {
    const { ship, shipped } = shipping();
    const faults: unknown[] = [];
    const run = await runScripted(TEN_MINUTES, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      onRun: (live) =>
        onAsked(live, async ({ id }) => {
          faults.push(live.respond(id, { approved: true, by: "root" } as never));
          faults.push(live.respond(id, { approved: true, by: "policy", reason: "below 20" }));
        }),
    });
    expect(faults).toEqual([false, true]);
    expect(given(run)).toMatchObject([{ approved: true, by: "policy", reason: "below 20" }]);
    expect(shipped).toEqual(["nuts"]);
  });

  it("is given by a reply in time, and leaves no timer", async () => {
    const { ship, shipped } = shipping();
    const clock = testClock();
    await runScripted(TEN_MINUTES, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      services: [provide(Clock, clock)],
      onRun: (live) =>
        onAsked(live, async ({ id }) => {
          await clock.advance(599_999);
          live.respond(id, { approved: true });
        }),
    });
    expect(shipped).toEqual(["nuts"]);
    expect(clock.timers).toBe(0);
  });

  it("is no longer waited for when the run is aborted: a late reply is not taken", async () => {
    const { ship, shipped } = shipping();
    const clock = testClock();
    const said: boolean[] = [];
    const run = await runScripted(TEN_MINUTES, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      services: [provide(Clock, clock)],
      onRun: (live) =>
        onAsked(live, ({ id }) => {
          live.abort("enough");
          said.push(live.respond(id, { approved: true }));
        }),
    });
    expect(run.outcome.outcome).toBe("aborted");
    expect(said).toEqual([false]);
    expect(shipped).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});

describe("arguments that a person changes", () => {
  it("are what is executed, recorded, told, and read by the model as changed", async () => {
    const { ship, shipped } = shipping();
    const run = await runScripted(SHIP, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      onRun: (live) =>
        onAsked(live, ({ id }) =>
          live.respond(id, { approved: true, input: { item: "bolts" }, reason: "no nuts today" }),
        ),
    });
    expect(shipped).toEqual(["bolts"]);
    expect(run.outcome.state.observations).toMatchObject([
      { input: { item: "bolts" }, content: "bolts is out", ok: true },
    ]);
    expect(given(run)).toMatchObject([
      { approved: true, by: "person", reason: "no nuts today", input: { item: "bolts" } },
    ]);
    const [told] = run.requests[1]?.messages.at(-1)?.text.split("\n\n") ?? [];
    expect(told).toBe(
      '<observation id="observation-1" tool="ship">\nbolts is out\n</observation>\nnote: a person changed the arguments of this call (no nuts today); it was made with {"item":"bolts"}',
    );
  });

  it("that are the same as before are no change", async () => {
    const { ship } = shipping();
    const run = await runScripted(SHIP, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      onRun: (live) =>
        onAsked(live, ({ id, input }) => live.respond(id, { approved: true, input })),
    });
    expect(given(run)).toEqual([
      { id: expect.anything() as string, tool: "ship", approved: true, by: "person", reason: "" },
    ]);
    expect(run.outcome.state.observations[0]).not.toHaveProperty("notes");
  });

  it.each<readonly [string, unknown, RegExp]>([
    ["do not fit the schema", { item: { a: 1 } }, /the arguments do not fit/],
    ["are unknown to the tool", { items: "x", item: 1 }, /fit/],
    ["are no object", ["nuts"], /not one JSON object/],
    ["are a text", "nuts", /not one JSON object/],
    ["are null", null, /not one JSON object/],
    ["can't be data", { item: 1n }, /not one JSON object/],
    ["the spec denies", { item: "gold" }, /the spec forbids this call of ship/],
  ])("that %s are not taken, and it is said why", async (_what, input, problem) => {
    const { ship, shipped } = shipping();
    const said: unknown[] = [];
    await runScripted(
      'tools: { ship: { deny: { when: args.item == "gold" } } }\nstrategy: react\n',
      [calling("ship", "nuts"), "done"],
      {
        plugins: [ship],
        onRun: (live) =>
          onAsked(live, ({ id }) => {
            const reply = { approved: true, input } as never;
            said.push(
              live.problemsWith(id, reply)[0],
              live.respond(id, reply),
              live.pending().length,
            );
            live.respond(id, { approved: false });
          }),
      },
    );
    expect(said).toEqual([expect.stringMatching(problem), false, 1]);
    expect(shipped).toEqual([]);
  });

  it("go with an approval alone", async () => {
    const { ship } = shipping();
    const said: unknown[] = [];
    await runScripted(SHIP, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      onRun: (live) =>
        onAsked(live, ({ id }) => {
          said.push(live.respond(id, { approved: false, input: { item: "bolts" } }));
          live.respond(id, { approved: false });
        }),
    });
    expect(said).toEqual([false]);
  });

  it("are good for one call: neither a second reply nor what a host changes later counts", async () => {
    const { ship, shipped } = shipping();
    const said: boolean[] = [];
    await runScripted(SHIP, [calling("ship", "nuts"), calling("ship", "gold"), "done"], {
      plugins: [ship],
      onRun: (live) => {
        let first: string | undefined;
        onAsked(live, ({ id, input }) => {
          if (first !== undefined) {
            said.push(live.respond(first, { approved: true }));
            return live.respond(id, { approved: false });
          }
          first = id;
          const own: { item: string } = { item: "bolts" };
          (input as Record<string, unknown>)["item"] = "gold";
          said.push(live.respond(id, { approved: true, input: own }));
          own.item = "gold";
          return said.push(live.respond(id, { approved: true, input: own }));
        });
      },
    });
    expect(said).toEqual([true, false, false]);
    expect(shipped).toEqual(["bolts"]);
  });

  it("that hold a secret are shown without it, and executed with it where nobody changed them", async () => {
    const { ship, shipped } = shipping();
    const secret = "tok-4f9a2c7be1";
    const shown: unknown[] = [];
    // A tool that writes its key into the arguments of its calls.
    const keyed = { ...ship, normalize: () => ({ item: secret }) };
    await runScripted(SHIP, [calling("ship", "nuts"), "done"], {
      plugins: [keyed],
      env: { SHOP_TOKEN: secret },
      onRun: (live) =>
        onAsked(live, ({ id, input }) => {
          shown.push(input);
          live.respond(id, { approved: true, input });
        }),
    });
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(shipped).toEqual([secret]);
  });

  it("hold no secret in an event or a prompt", async () => {
    const { ship } = shipping();
    const secret = "tok-4f9a2c7be1";
    const run = await runScripted(SHIP, [calling("ship", "nuts"), "done"], {
      plugins: [ship],
      env: { SHOP_TOKEN: secret },
      onRun: (live) =>
        onAsked(live, ({ id }) =>
          live.respond(id, { approved: true, input: { item: secret }, reason: `as ${secret}` }),
        ),
    });
    expect(given(run)).toMatchObject([{ approved: true }]);
    expect(JSON.stringify([run.events, run.outcome, run.requests])).not.toContain(secret);
  });
});

describe("a dry run", () => {
  it("asks nobody, leaves the effect out, and still keeps to what is denied", async () => {
    const { ship, shipped } = shipping();
    const run = await runScripted(
      'tools: { ship: { approval: always, expires: 1m, deny: { when: args.item == "gold" } } }\nstrategy: react\n',
      [calling("ship", "nuts", "gold"), "done"],
      { plugins: [ship], settings: { dryRun: true } },
    );
    expect(shipped).toEqual([]);
    expect(run.events.some(({ name }) => name === "approval.requested")).toBe(false);
    const left = run.events.filter(({ name }) => name === "effect.stubbed");
    expect(left.map(({ data }) => data)).toEqual([{ tool: "ship", input: { item: "nuts" } }]);
    expect(run.outcome.state.observations.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^dry run: ship was not executed/),
      expect.stringMatching(/the spec forbids this call of ship/),
    ]);
  });
});

describe("what waits", () => {
  it("says all that a host needs to show it", async () => {
    const { ship } = shipping();
    const shown: unknown[] = [];
    await runScripted(
      "tools: { ship: { approval: always, reason: it can not be taken back } }\nstrategy:\n  - parallel:\n      branches: { left: { react: { id: packer, tools: [ship] } } }\n",
      [calling("ship", "nuts"), "done"],
      {
        plugins: [ship],
        onRun: (live) =>
          onAsked(live, (asked) => {
            shown.push(asked);
            live.respond(asked.id, { approved: false });
          }),
      },
    );
    expect(shown).toMatchObject([
      {
        kind: "approval",
        id: expect.stringContaining("left") as string,
        tool: "ship",
        input: { item: "nuts" },
        reason: "it can not be taken back",
        effect: "once",
        schema: { type: "object", properties: { item: { type: "string" } } },
        stage: "packer",
        branch: "left",
      },
    ]);
    expect(shown[0]).not.toHaveProperty("expiresAt");
  });

  it("is replied to in any order by three branches, one of which expires and one is changed", async () => {
    const { ship, shipped } = shipping();
    const clock = testClock();
    const react = (name: string, more: string) =>
      `${name}: { react: { id: ${name}, tools: { ship: { approval: always${more} } } } }`;
    const run = await runScripted(
      `tools: [ship]\nstrategy:\n  - parallel:\n      branches:\n        ${react("a", "")}\n        ${react("b", ", expires: 1m")}\n        ${react("c", "")}\n      combine: direct\n`,
      ({ key }) =>
        key.includes("generate:0") && /[/.]([abc])\b/.test(key)
          ? calling("ship", /[/.:]([abc])\b/.exec(key)?.[1] ?? "")
          : "done",
      {
        plugins: [ship],
        services: [provide(Clock, clock)],
        onRun: (live) =>
          onAsked(live, async () => {
            const waiting = live.pending();
            if (waiting.length < 3) return;
            const idOf = (branch: string) => waiting.find((one) => one.branch === branch)?.id ?? "";
            live.respond(idOf("c"), { approved: true, input: { item: "c, gently" } });
            await clock.advance(60_000);
            expect(live.pending().map(({ branch }) => branch)).toEqual(["a"]);
            live.respond(idOf("a"), { approved: true });
          }),
      },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(shipped).toEqual(["c, gently", "a"]);
    expect(given(run)).toMatchObject([
      { approved: true, input: { item: "c, gently" } },
      { approved: false, by: "timeout" },
      { approved: true, by: "person" },
    ]);
    expect(unbalanced(run.events)).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("is withdrawn from every branch when the run is aborted", async () => {
    const { ship, shipped } = shipping();
    let left: number | undefined;
    const run = await runScripted(
      "tools: [ship]\nstrategy:\n  - parallel:\n      branches: { a: { react: { id: a, tools: [ship] } }, b: { react: { id: b, tools: [ship] } } }\n      combine: direct\n",
      () => calling("ship", "x"),
      {
        plugins: [ship],
        onRun: (live) =>
          onAsked(live, () => {
            if (live.pending().length < 2) return;
            live.abort("enough");
            left = live.pending().length;
          }),
      },
    );
    expect(run.outcome.outcome).toBe("aborted");
    expect(left).toBe(0);
    expect(shipped).toEqual([]);
    expect(unbalanced(run.events)).toEqual([]);
  });
});
