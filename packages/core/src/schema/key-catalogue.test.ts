import { describe, expect, it } from "vitest";
import { stubPlugins } from "../../test/stub-plugins.ts";
import type { PluginKind } from "../contracts/plugin-definition.ts";
import { openKeyCatalogue, type Step } from "./key-catalogue.ts";
import type { Entries } from "./schema-walk.ts";
import { specSchema } from "./spec-schema.ts";

const kinds: readonly PluginKind[] = ["strategy", "provider", "tool", "check", "memory", "sink"];
const definitions = await Promise.all(
  kinds.flatMap((kind) =>
    stubPlugins.ids(kind).map(async (id) => {
      const found = await stubPlugins.find(kind, id);
      if (found.status !== "found") throw new Error(`no stub ${id}`);
      return found.definition;
    }),
  ),
);
const catalogue = openKeyCatalogue(specSchema(definitions));
const none: Entries = new Map();

function inside(...path: readonly (string | number)[]): readonly Step[] {
  return path.map((step) =>
    typeof step === "number" ? { index: step } : { key: step, entries: none },
  );
}

function keys(path: readonly Step[], entries: Entries = none): readonly string[] {
  return catalogue.keysAt(path, entries).map(({ key }) => key);
}

describe("the catalogue of keys", () => {
  it("lists the keys of a spec with what each is for", () => {
    const limits = catalogue.keysAt([], none).find(({ key }) => key === "limits");
    expect(limits).toMatchObject({ type: "limits", isRequired: false });
    expect(limits?.description).toContain("`limited`");
  });

  it("lists how a model is called, and the fields of a profile", () => {
    const model = inside("model");
    expect(keys(model)).toEqual(
      expect.arrayContaining([
        "timeout",
        "retry",
        "breaker",
        "rateLimit",
        "tokenRate",
        "structured",
      ]),
    );
    expect(keys([...model, ...inside("timeout")])).toEqual(["total", "first", "idle"]);
    expect(keys([...model, ...inside("breaker")])).toEqual(["failures", "rest"]);
    const profile = keys([...model, ...inside("profile")]);
    expect(profile).toEqual(expect.arrayContaining(["extends", "structured", "parallelCalls"]));
    const structured = catalogue.valueAt([...model, ...inside("structured")]);
    expect(structured.values.map(({ value }) => value)).toEqual([
      "json-schema",
      "json-mode",
      "prompt",
    ]);
    expect(catalogue.keysAt(model, none).find(({ key }) => key === "retry")?.description).toContain(
      "How often a call that fails is tried",
    );
  });

  it("lists patches where a spec extends another, and only there", () => {
    expect(keys([], new Map([["extends", "./base.yaml"]]))).toContain("tools+");
    expect(keys([])).not.toContain("tools+");
    expect(keys(inside("overlays", "prod"))).toContain("stages-");
  });

  it("lists options, slots and settings of a stage at any depth", () => {
    const react = inside("strategy", 1, "verify", "revise", 0, "react");
    expect(keys(react)).toEqual(expect.arrayContaining(["maxSteps", "when", "onError"]));
    expect(keys(inside("strategy", 0, "loop"))).toEqual(expect.arrayContaining(["until", "do"]));
  });

  it("tells type, range and default of an option", () => {
    const steps = catalogue
      .keysAt(inside("strategy", "react"), none)
      .find(({ key }) => key === "maxSteps");
    expect(steps).toMatchObject({ type: "a whole number from 1 to 100", default: 8 });
  });

  it("lists the options of the tool that `use` names, and the policies", () => {
    const entries = new Map([["use", "http-get"]]);
    expect(keys(inside("tools", "weather"), entries)).toEqual(
      expect.arrayContaining(["url", "headers", "timeout", "approval"]),
    );
    expect(keys(inside("tools", "calculator"))).not.toContain("url");
  });

  it("lists the allowed words of a value", () => {
    const { values } = catalogue.valueAt(inside("strategy", 0, "direct", "onError"));
    expect(values.map(({ value }) => value)).toEqual(["fail", "continue"]);
  });

  it("offers strategies for a stage, and says what they do", () => {
    const { values, names } = catalogue.valueAt(inside("strategy", 0));
    expect(values).toContainEqual({ value: "loop", description: "A stub." });
    expect(names).toEqual(["strategy"]);
  });

  it("knows where a name of the spec is wanted", () => {
    expect(catalogue.valueAt(inside("strategy", 0, "recall", "from")).names).toEqual(["memory"]);
    expect(catalogue.valueAt(inside("strategy", 0, "direct", "model")).names).toEqual(["model"]);
    expect(catalogue.valueAt(inside("strategy", 0, "react", "tools", 0)).names).toEqual(["tool"]);
    expect(catalogue.keyNamesAt(inside("overlays", "prod", "stages"), none)).toEqual(["stage"]);
  });

  it("knows what a patch may say beside the stages of a case", () => {
    const small = inside("overlays", "prod", "stages", "decide", "cases", "small");
    expect(keys(small)).toEqual(["description"]);
    expect(keys(small.slice(0, 4))).not.toContain("cases-");
  });

  it("knows where keys are names that the spec gives", () => {
    const branches = inside("strategy", 0, "parallel", "branches");
    expect(catalogue.keyDefinitionsAt(branches, none)).toEqual(["branch"]);
    expect(catalogue.keyNamesAt(branches, none)).toEqual([]);
    expect(catalogue.keyDefinitionsAt(branches.slice(0, 2), none)).toEqual([]);
  });

  it("knows expressions and templates", () => {
    expect(catalogue.valueAt(inside("strategy", 0, "direct", "when")).forms).toEqual(
      new Set(["expression"]),
    );
    expect(catalogue.valueAt(inside("task", "text")).forms).toEqual(new Set(["template"]));
  });

  it("offers nothing where a spec has no such place", () => {
    expect(keys(inside("nowhere", 3, "at-all"))).toEqual([]);
    expect(catalogue.valueAt(inside("name", "deeper")).values).toEqual([]);
  });
});
