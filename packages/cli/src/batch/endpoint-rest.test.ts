import { join } from "node:path";
import { readDeadLetters } from "@loopwright/core";
import { expect, test } from "vitest";
import { failingFolder, halfDown, rowsIn } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";
import { EndpointRest } from "./endpoint-rest.ts";

const COUNT = 30;
const DOWN = `comment\n${"down\n".repeat(COUNT)}`;
const HALF = halfDown(COUNT);

interface Called {
  readonly modelCalls: number;
}

const args = (folder: string): readonly string[] => [
  "batch",
  join(folder, "spec.yaml"),
  "--from",
  join(folder, "rows.csv"),
  "--json",
];

test("rows wait while an endpoint rests: only calls that failed there become dead letters", async () => {
  const folder = failingFolder(HALF, "400ms");
  const { stdout } = await runInProcess(...args(folder), "--parallel", "4");
  const { rows, spending } = JSON.parse(stdout) as { rows: object; spending: Called };
  expect(rows).toMatchObject({ total: COUNT, values: COUNT - 2, failed: 2, open: 0 });
  // Each late row: a reply before the rest, and two calls after it; on a slow machine the rest comes too late for them.
  expect(spending.modelCalls).toBeGreaterThanOrEqual(COUNT + 2);
  const { open } = await readDeadLetters(join(folder, "rows.csv.out.dead.jsonl"));
  expect(open.map(({ message }) => message)).toEqual(["it is down", "it is down"]);
  expect(rowsIn(folder)).toHaveLength(COUNT - 2);
});

test("an endpoint that stays down stops the batch after twenty failures in a row", async () => {
  const folder = failingFolder(DOWN, "5ms");
  const { code, stdout } = await runInProcess(...args(folder), "--parallel", "3");
  expect(code).toBe(1);
  const { rows, stopped } = JSON.parse(stdout) as { rows: object; stopped: { why: string } };
  expect(stopped.why).toBe("endpoint");
  expect(rows).toMatchObject({ values: 0, failed: 20, open: COUNT - 20 });
});

test("one row tries the endpoint, the others begin when it has ended", async () => {
  let now = 0;
  const rest = new EndpointRest({
    now: () => now,
    mayGoOn: () => true,
    onWait: () => {
      now += 40;
    },
  });
  const details = { isHeldBack: true, restMs: 40 };
  const outcome = { fault: { code: "provider-unavailable", message: "it rests", details } };
  const end = { kind: "failed", outcome } as unknown as Parameters<EndpointRest["take"]>[0];
  const signs = { hasOpened: false };
  expect(rest.take(end, signs, await rest.enter())).toBe(true);
  expect(rest.waiting).toEqual({ models: "", leftMs: 50 });
  const first = await rest.enter();
  expect(first.trial).toBeInstanceOf(Promise);
  const begun: boolean[] = [];
  const others = [1, 2].map(() =>
    rest.enter().then(({ trial }) => begun.push(trial !== undefined)),
  );
  await Promise.resolve();
  expect(begun).toEqual([]);
  expect(rest.take({ kind: "refused", message: "" }, undefined, first)).toBe(false);
  first.leave();
  await Promise.all(others);
  expect(begun).toEqual([false, false]);
  expect(rest.waiting).toBeUndefined();
});

test.each([
  [{ isHeldBack: true, waitMs: 1000 }, true],
  [{ isHeldBack: true, waitMs: 86_400_000 }, false],
  [undefined, false],
])("a fault with %j makes rows wait: %s", (details, isHeldOff) => {
  const rest = new EndpointRest({ now: () => 0, mayGoOn: () => true, onWait: () => undefined });
  const fault = { code: "provider-unavailable", message: "no", ...(details && { details }) };
  const end = { kind: "failed", outcome: { fault } } as unknown as Parameters<
    EndpointRest["take"]
  >[0];
  expect(rest.take(end, { hasOpened: false }, { leave: () => undefined })).toBe(isHeldOff);
  expect(rest.waiting !== undefined).toBe(isHeldOff);
});
