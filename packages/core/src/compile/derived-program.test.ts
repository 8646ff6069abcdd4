import { describe, expect, it } from "vitest";
import { programOf } from "../../test/stub-plugins.ts";
import { withParts } from "./derived-program.ts";
import { hashOf } from "./program-hash.ts";

const spec = "apiVersion: loopwright/v1\nname: x\nmodel: ollama/small\nstrategy: react\n";

describe("what is derived from a program", () => {
  it("is made when it is first read, once", async () => {
    const program = await programOf(spec);
    expect(Object.getOwnPropertyDescriptor(program, "canonical")).not.toHaveProperty("value");
    expect(program.canonical).toBe(program.canonical);
    expect(program.hash).toBe(hashOf(program.canonical));
  });

  it("is kept unread where other parts are replaced, and copied by a spread", async () => {
    const program = await programOf(spec);
    const other = withParts(program, { overlays: ["prod"] });
    expect(Object.getOwnPropertyDescriptor(other, "hash")).not.toHaveProperty("value");
    expect(other).toEqual({ ...program, overlays: ["prod"] });
    expect(program.overlays).toEqual([]);
  });
});
