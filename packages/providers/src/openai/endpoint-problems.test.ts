import { describe, expect, it } from "vitest";
import { endpointProblems } from "./endpoint-problems.ts";

const baseUrl = "http://127.0.0.1:8000/v1";

describe("the options of an endpoint", () => {
  it.each([
    ["no address", {}, "custom", {}, "profile", /no address of its own/],
    ["no URL", { baseUrl: "127.0.0.1:8000/v1" }, "custom", {}, "baseUrl", /does not begin with/],
    ["a scheme", { baseUrl: "localhost:8000/v1" }, "custom", {}, "baseUrl", /does not begin with/],
    ["a user", { baseUrl: "http://me:pw@x.example/v1" }, "custom", {}, "baseUrl", /user/],
    ["an endpoint", {}, "deepseek", { endpoint: "x" }, "profile", /does not begin with/],
    ["a pattern", {}, "deepseek", { thinkingModels: "(" }, "profile", /profile\.thinkingModels/],
    ["a key name", {}, "deepseek", { keyName: "my key" }, "profile", /environment variable/],
  ])(
    "with which no call can be made are told: %s",
    (_name, given, profile, overrides, option, message) => {
      expect(endpointProblems(given, { profile, overrides })).toMatchObject([
        { option, message: expect.stringMatching(message), repair: expect.stringMatching(/./) },
      ]);
    },
  );

  it("of which every profile has sound ones are not told", () => {
    for (const profile of ["openai", "deepseek", "kimi", "ollama", "vllm", "openrouter"])
      expect([profile, endpointProblems({}, { profile })]).toEqual([profile, []]);
    expect(endpointProblems({ baseUrl }, { profile: "custom" })).toEqual([]);
  });

  it("with a password do not repeat it", () => {
    const told = endpointProblems({ baseUrl: "ftp://me:pw@x.example" }, { profile: "custom" });
    expect(JSON.stringify(told)).not.toContain("pw");
  });
});
