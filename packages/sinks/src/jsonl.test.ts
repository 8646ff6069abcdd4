import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent, Sink } from "@loopwright/core/plugin";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonl } from "./jsonl.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "jsonl-"));
});
afterEach(() => rm(folder, { recursive: true }));

function open(path: string): Sink {
  return (jsonl.create as (options: { path: string }, services: object) => Sink)({ path }, {});
}

let seq = 0;
function event(name: RunEvent["name"], runId: string = "r1", data: object = {}): RunEvent {
  seq += 1;
  const place = { spanId: "s", parentId: "", key: "k", stage: "" };
  return {
    v: 1,
    id: `e${seq}`,
    seq,
    time: seq,
    runId,
    ...place,
    name,
    data,
  } as unknown as RunEvent;
}

async function linesOf(path: string): Promise<readonly unknown[]> {
  const text = await readFile(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("jsonl", () => {
  it("writes each run to its own file, in order, making the folders", async () => {
    const sink = open(join(folder, "runs", "${run:id}.jsonl"));
    const events = ["r1", "r2"].map((run) => [
      event("run.start", run),
      ...Array.from({ length: 20 }, () => event("step.start", run)),
      event("run.end", run),
    ]);
    const mixed = events[0]?.flatMap((one, index) => [one, events[1]?.[index] ?? one]) ?? [];
    for (const one of mixed) await sink.handle(one);
    expect(await readdir(join(folder, "runs"))).toEqual(["r1.jsonl", "r2.jsonl"]);
    expect(await linesOf(join(folder, "runs", "r1.jsonl"))).toEqual(events[0]);
    expect(await linesOf(join(folder, "runs", "r2.jsonl"))).toEqual(events[1]);
  });

  it("keeps the order when nobody waits", async () => {
    const path = join(folder, "log.jsonl");
    const sink = open(path);
    const events = [
      event("run.start"),
      ...Array.from({ length: 200 }, () => event("step.start")),
      event("run.end"),
    ];
    await Promise.all(events.map(async (one) => sink.handle(one)));
    expect(await linesOf(path)).toEqual(events);
  });

  it("lets deltas wait for the next event or flush", async () => {
    const path = join(folder, "log.jsonl");
    const sink = open(path);
    await sink.handle(event("run.start"));
    await sink.handle(event("model-call.delta"));
    expect(await linesOf(path)).toHaveLength(1);
    await sink.flush?.();
    expect(await linesOf(path)).toHaveLength(2);
    await sink.close?.();
  });

  it("takes an event that comes after the end of its run", async () => {
    const path = join(folder, "${run:id}.jsonl");
    const sink = open(path);
    for (const name of ["run.start", "run.end", "sink.failed"] as const)
      await sink.handle(event(name));
    await sink.close?.();
    expect(await linesOf(join(folder, "r1.jsonl"))).toHaveLength(3);
  });

  it("rejects from the event that can't be written, and goes on when the disk is back", async () => {
    const path = join(folder, "log.jsonl");
    await mkdir(path);
    const sink = open(path);
    await expect(sink.handle(event("run.start"))).rejects.toThrow("EISDIR");
    await rm(path, { recursive: true });
    await sink.handle(event("step.start"));
    await sink.handle(event("run.end"));
    expect(await linesOf(path)).toHaveLength(2);
  });

  it("ends a line that a crash cut off", async () => {
    const path = join(folder, "log.jsonl");
    await writeFile(path, '{"torn');
    const sink = open(path);
    await sink.handle(event("run.start"));
    await sink.close?.();
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(3);
  });

  it("leaves no way out of its folder to a run's id", async () => {
    const sink = open(join(folder, "runs", "${run:id}", "log.jsonl"));
    await sink.handle(event("run.start", "../../../x"));
    await sink.close?.();
    expect(await readdir(join(folder, "runs"))).toHaveLength(1);
  });

  it("writes any text as one line", async () => {
    const path = join(folder, "log.jsonl");
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constant("\u2028\n\r\ud800"));
    const events = fc
      .sample(text, 100)
      .map((said) => event("fact.told", "r1", { fact: said, data: said }));
    const sink = open(path);
    for (const one of events) await sink.handle(one);
    await sink.close?.();
    expect(await linesOf(path)).toEqual(events);
  });
});
