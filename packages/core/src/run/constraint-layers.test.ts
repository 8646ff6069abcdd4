import { describe, expect, it } from "vitest";
import { ProviderError } from "../errors/loopwright-error.ts";
import { layerAfter, lowestLayer } from "./constraint-layers.ts";

const lacking = (lacks: unknown): ProviderError =>
  new ProviderError("provider-rejected", "no", { details: { lacks } });

describe("the layers", () => {
  it("have a lowest one, whatever is left out", () => {
    expect(lowestLayer("json-schema")).toBe("json-schema");
    expect(lowestLayer("json-schema", undefined, "json-mode")).toBe("json-mode");
    expect(lowestLayer("json-mode", "json-schema", "prompt")).toBe("prompt");
  });

  it.each([
    ["json-schema", "json-schema", "json-mode"],
    ["json-mode", "json-schema", "prompt"],
    ["json-mode", "json-mode", "prompt"],
    ["json-schema", "json-mode", undefined],
    ["prompt", "prompt", undefined],
    ["yaml", "json-schema", undefined],
    [undefined, "json-schema", undefined],
  ] as const)("without %s, asked on %s, leave %s", (lacks, asked, left) => {
    expect(layerAfter(lacking(lacks), asked)).toBe(left);
  });

  it("are not left for another fault", () => {
    expect(
      layerAfter(new Error("response_format is not supported"), "json-schema"),
    ).toBeUndefined();
  });
});
