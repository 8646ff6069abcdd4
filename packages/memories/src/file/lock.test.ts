import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withLock } from "./lock.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  path = join(folder, "lock");
});
afterEach(() => rm(folder, { recursive: true }));

describe("withLock", () => {
  it("lets one task in at a time", async () => {
    let inside = 0;
    let most = 0;
    const task = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await wait(2);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(path, task)));
    expect(most).toBe(1);
  });

  it("lets go when the task fails", async () => {
    await expect(withLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await readdir(folder)).toEqual([]);
  });

  it("takes over a lock that does not change while it is watched", async () => {
    await writeFile(path, "dead");
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((name) => withLock(path, async () => order.push(name), 5)));
    expect(new Set(order)).toEqual(new Set([1, 2, 3]));
    expect(await readdir(folder)).toEqual([]);
  });

  it("waits for owners that change", async () => {
    await writeFile(path, "first");
    const entered = withLock(path, async () => "in", 20);
    await wait(100);
    await writeFile(path, "second");
    await wait(100);
    await writeFile(path, "third");
    const outcome = await Promise.race([entered, wait(50, "still waiting")]);
    expect(outcome).toBe("still waiting");
    await rm(path);
    expect(await entered).toBe("in");
  });
});
