import { readdirSync } from "node:fs";
import { OrderDatabase } from "@acme/loopwright-orders";
import { type CheckResult, createApp, provide, type Run, type RunInput } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { runSpec, type RunSpecOptions } from "../run-spec.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";
import { type OrderDesk, openOrderDesk, orderTools, scriptedModels } from "./order-desk-run.ts";
import { replying } from "./run-example.ts";

const plugins = [...builtIn, orderTools];

/** How a spec is run here; a spec that is added needs a line. */
interface ExampleRun {
  readonly input?: RunInput;
  readonly compile?: (desk: OrderDesk) => RunSpecOptions["compile"];
  /** What a person does meanwhile. */
  readonly onRun?: (run: Run) => void;
  /** Default: pass; `none` for a spec whose output has checks and that verifies nothing else. */
  readonly verified?: "none";
}

const parcel: RunInput = { task: "Where is my parcel?", inputs: { orderId: "A20260824001" } };

const refund: RunInput = {
  task: "The jacket comes too late. Please send my money back.",
  inputs: { orderId: "A20260824002" },
};

/** A person who agrees to every call that needs one. */
function agreeing(run: Run): void {
  run.on("approval.requested", () => {
    for (const { id } of run.pending()) run.respond(id, { approved: true });
  });
}

const RUNS: Readonly<Record<string, ExampleRun>> = {
  "beijing-days.yaml": {},
  "chief.yaml": {},
  "discount.yaml": {},
  "find-comments.yaml": {},
  "flight.yaml": { onRun: replying("direct") },
  "game-of-24.yaml": {},
  "incident.yaml": {},
  "market-report.yaml": {},
  "order-desk.yaml": {
    input: parcel,
    compile: ({ overrides }) => ({ overrides, models: scriptedModels }),
  },
  "order-desk-scripted.yaml": { input: parcel, compile: ({ overrides }) => ({ overrides }) },
  "refund-desk.yaml": {
    input: refund,
    compile: ({ overrides }) => ({ overrides }),
    onRun: agreeing,
  },
  "reviews.yaml": {
    input: { inputs: { comment: "The Nimbus kettle leaks. Amazon support sent me in circles." } },
    verified: "none",
  },
  "shanghai-weekend.yaml": {},
  "umbrellas.yaml": {},
  "way-out.yaml": {},
};

const specs: readonly string[] = readdirSync(specFile(""))
  .filter((name) => name.endsWith(".yaml"))
  .toSorted();

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

it("has a run for every example spec, and for nothing else", () => {
  expect(Object.keys(RUNS).toSorted()).toEqual(specs);
});

describe.each(specs)("specs/%s", (name) => {
  it("checks without an error or a warning", async () => {
    const { program, diagnostics } = await check(name);
    expect(diagnostics).toEqual([]);
    expect(program).toBeDefined();
  });

  it("runs to a verified answer within its bounds", async () => {
    const { input, compile, onRun, verified = "pass" } = RUNS[name] ?? {};
    const { outcome, events } = await runSpec(
      { file: specFile(name) },
      {
        plugins,
        services: [provide(OrderDatabase, desk.orders)],
        root: repositoryRoot,
        ...(input === undefined ? {} : { input }),
        ...(onRun === undefined ? {} : { onRun }),
        compile: compile?.(desk) ?? {},
      },
    );
    expect(outcome).toMatchObject({ outcome: "done", verified });
    expect(unbalanced(events)).toEqual([]);
    const { program } = await check(name);
    const { modelCalls, toolCalls } = outcome.spending;
    expect(isWithin(modelCalls, program?.bounds.requests)).toBe(true);
    expect(isWithin(toolCalls, program?.bounds.toolCalls)).toBe(true);
  });
});

async function check(name: string): Promise<CheckResult> {
  const services = [provide(OrderDatabase, desk.orders)];
  const app = await createApp({
    plugins,
    services,
    discovery: false,
    root: repositoryRoot,
    env: {},
  });
  try {
    return await app.check({ file: specFile(name) });
  } finally {
    await app.close();
  }
}

/** Whether a count lies in a range of a program's bounds. */
function isWithin(count: number, range: readonly [number, number] | undefined): boolean {
  return range !== undefined && range[0] <= count && count <= range[1];
}
