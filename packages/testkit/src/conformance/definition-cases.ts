import type { DefinitionByKind, PluginKind } from "@loopwright/core/plugin";
import { expect } from "vitest";
import type { ConformanceCase } from "./conformance-case.ts";
import { compileStrictly, misfitsOf, propertiesOf, unlikeJson } from "./json-schema.ts";

/** Every kind of plugin that a spec configures. */
export type ConfiguredKind = Exclude<PluginKind, "service">;

const ID = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)*\/)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const SENTENCE = /^[^\s].{14,}[.!?]$/s;

/** What every definition promises, whatever its kind. */
export function definitionCases(
  definition: DefinitionByKind[ConfiguredKind],
  kind: ConfiguredKind,
): readonly ConformanceCase[] {
  const isPure = kind === "strategy" || kind === "check";
  return [
    {
      name: `is a ${kind} with an id in kebab-case and a description in sentences`,
      run: () => {
        expect(definition.kind).toBe(kind);
        expect(definition.id, "id").toMatch(ID);
        expect(definition.description, "description").toMatch(SENTENCE);
      },
    },
    {
      name: `asks for services by token${isPure ? ", pure ones only" : ""}`,
      run: () => {
        for (const [name, token] of Object.entries(definition.inject)) {
          expect(token.symbol, `${name} is made with defineToken`).toBe(
            Symbol.for(`loopwright:service:${token.id}`),
          );
          const purities = isPure ? ["pure"] : ["pure", "effect"];
          expect(purities, `purity of ${name}`).toContain(token.purity);
        }
      },
    },
    {
      name: "has an options schema in plain JSON that ajv compiles strictly",
      run: () => {
        expect(definition.options.type, "options are an object").toBe("object");
        expect(unlikeJson(definition.options)).toEqual([]);
        expect(() => compileStrictly(definition.options)).not.toThrow();
      },
    },
    {
      name: "describes every option",
      run: () => {
        for (const [name, option] of Object.entries(propertiesOf(definition.options)))
          expect(option["description"], `description of ${name}`).toMatch(SENTENCE);
      },
    },
    {
      name: "has defaults that fit their options",
      run: () => {
        for (const [name, option] of Object.entries(propertiesOf(definition.options))) {
          if (option["default"] === undefined) continue;
          expect(misfitsOf(option["default"], option), `default of ${name}`).toEqual([]);
        }
      },
    },
  ];
}
