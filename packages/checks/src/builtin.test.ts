import { describe, expect, it } from "vitest";
import { checks } from "./builtin.ts";

describe("the built-in checks", () => {
  it.each(checks.entries.map((entry) => [entry.id, entry] as const))(
    "loads %s under its own id",
    async (id, entry) => {
      expect(await entry.load()).toMatchObject({ kind: "check", id });
    },
  );
});
