import { describe, expect, it } from "vitest";
import { tools } from "./builtin.ts";

describe("the built-in tools", () => {
  const isTool = ({ kind }: (typeof tools.entries)[number]): boolean => kind === "tool";

  it.each(tools.entries.filter(isTool).map((entry) => [entry.id, entry] as const))(
    "loads %s under its own id, with a manual",
    async (id, entry) => {
      const definition = await entry.load();
      expect(definition.id).toBe(id);
      expect(definition.kind).toBe("tool");
      expect(
        "description" in definition ? definition.description.split("\n").length : 0,
      ).toBeGreaterThanOrEqual(4);
    },
  );
});
