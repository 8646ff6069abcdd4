import { describe, expect, it } from "vitest";
import { profileOf } from "./profiles.ts";
import { ownNames, toWireName } from "./tool-names.ts";

const kimi = profileOf("kimi");

describe("names of tools", () => {
  it.each(["find", "_x1", "a-b_c", "a".repeat(64)])("stay where they fit: %s", (name) => {
    expect(toWireName(name, kimi)).toBe(name);
  });

  const others = ["f", "go", "1st", "-x-", "a".repeat(65), "a.b", "a/b", "größe"];

  it.each(others)("become one that fits: %s", (name) => {
    expect(toWireName(name, kimi)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{2,63}$/);
    expect(toWireName(name, kimi)).toBe(toWireName(name, kimi));
    expect(toWireName(name, profileOf("openai"))).toBe(name);
  });

  it("are found again, each its own", () => {
    const names = [...others, "find", "a_b"];
    const found = ownNames(
      names.map((name) => ({ name })),
      kimi,
    );
    expect(names.map((name) => found.get(toWireName(name, kimi)))).toEqual(names);
  });
});
