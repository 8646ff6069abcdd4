import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { KeptByName } from "./kept-by-name.ts";

it("never makes twice what somebody holds, however many came after it", () => {
  const kept = new KeptByName<{ readonly name: string }>(3);
  const held = kept.get("held", () => ({ name: "held" }));
  for (let count = 0; count < 50; count++) kept.get(`n${count}`, () => ({ name: "" }));
  expect(kept.get("held", () => ({ name: "another" }))).toBe(held);
});

it("forgets what nobody holds and few asked for", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const kept = new KeptByName<object>(3);
  for (let count = 0; count < 24; count++) {
    kept.get(`n${count}`, () => ({}));
    // A weak reference holds until its turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    if (count % 8 === 7) collect();
  }
  expect(kept.size).toBeLessThan(16);
});
