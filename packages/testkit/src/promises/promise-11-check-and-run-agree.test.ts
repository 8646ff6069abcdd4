import { createApp } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { builtIn, packageOf, specOf, toolOf } from "./run-scripted.ts";

const SPECS: readonly (readonly [string, boolean, string])[] = [
  ["a plain one", true, "strategy: direct\n"],
  ["a misspelt strategy", false, "strategy: dirct\n"],
  ["an option beside its stage", false, "strategy:\n  - react:\n    maxSteps: 3\n"],
  ["a verdict that is never given", false, "strategy: [refine]\n"],
  [
    "an expression that is never true",
    false,
    "strategy: [direct, { verify: { when: \"verdict.outcome == 'passed'\" } }]\n",
  ],
  [
    "a limit too small to begin",
    false,
    "strategy: [direct, { reflect: { always: true } }]\nlimits: { modelCalls: 1 }\n",
  ],
  ["a tool nobody provides", false, "tools: [acme/search]\nstrategy: react\n"],
];

describe("promise 11: check and run agree", () => {
  // NVIDIA-NeMo/Gym#2221
  it.each(SPECS)("about %s", async (_name, isGood, body) => {
    const app = await createApp({
      plugins: [
        ...builtIn,
        packageOf([scriptedProvider("stub", ["one"]), toolOf("stock", () => 4)]),
      ],
      discovery: false,
      env: {},
    });
    const source = { text: specOf(body) };
    const { program, diagnostics } = await app.check(source);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(program !== undefined).toBe(isGood);
    expect(errors.length === 0).toBe(isGood);
    const compiled = await app.compile(source).then(
      () => undefined,
      (thrown: { code?: string; details?: { diagnostics?: unknown } }) => thrown,
    );
    expect(compiled?.code).toBe(isGood ? undefined : "spec-invalid");
    expect(compiled?.details?.diagnostics).toEqual(isGood ? undefined : diagnostics);
    await app.close();
  });
});

describe("a spec without a strategy", () => {
  it("checks as the fragment that it is, and is refused as such by a run", async () => {
    const app = await createApp({ plugins: builtIn, discovery: false, env: {} });
    const source = { text: "apiVersion: loopwright/v1\nname: base\nlimits: { modelCalls: 5 }\n" };
    const { program, diagnostics } = await app.check(source);
    expect(program).toBeUndefined();
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      "warning LW-SPEC-FRAGMENT",
    ]);
    await expect(app.compile(source)).rejects.toMatchObject({
      code: "spec-invalid",
      message: expect.stringContaining("it cannot run") as unknown,
    });
    await app.close();
  });
});
