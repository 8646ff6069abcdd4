import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { hasCode } from "./error-code.ts";

/** Milliseconds between two looks at a lock that another process holds. */
const LOOK_EVERY = 15;
/** Looks at one unchanged lock, about five seconds, after which its owner counts as dead; owners hold it for milliseconds. */
const MAX_LOOKS = 330;

/**
 * Runs a task while this process alone holds the lock file.
 *
 * A lock is stale when it does not change while it is watched, so no clocks of two machines are compared. A stale lock
 * is moved away under a name of its own and put back if another process took it over in between.
 */
export async function withLock<T>(
  path: string,
  task: () => Promise<T>,
  maxLooks: number = MAX_LOOKS,
): Promise<T> {
  const token = randomUUID();
  await acquire(path, token, maxLooks);
  try {
    return await task();
  } finally {
    if ((await ownerOf(path)) === token) await rm(path, { force: true });
  }
}

async function acquire(path: string, token: string, maxLooks: number): Promise<void> {
  let owner: string | undefined;
  for (let looks = 0; !(await create(path, token)); looks += 1) {
    const current = await ownerOf(path);
    if (current !== owner) looks = 0;
    owner = current;
    if (owner !== undefined && looks >= maxLooks) {
      await takeAway(path, owner);
      looks = 0;
    }
    await wait(LOOK_EVERY * (0.5 + Math.random()));
  }
}

async function create(path: string, token: string): Promise<boolean> {
  try {
    await writeFile(path, token, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function ownerOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function takeAway(path: string, staleOwner: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  if ((await ownerOf(aside)) === staleOwner) await rm(aside, { force: true });
  else await rename(aside, path);
}
