import type { JsonObject, ListedTool, ToolDefinition, ToolSet } from "@loopwright/core/plugin";
import { expect } from "vitest";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { createQuietly } from "./create-quietly.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import { compileLoosely, unlikeJson, withDefaults } from "./json-schema.ts";
import { expectPlainFailure, failureOf } from "./plain-failure.ts";
import { type ServiceValues, servicesFor } from "./services.ts";
import { wordCases } from "./tool-cases.ts";
import { toolContext } from "./tool-context.ts";

/** What a set of tools is tried with. */
export interface ToolSetConformance {
  readonly options?: Readonly<Record<string, unknown>>;
  /** The services that the set asks for, fresh for every case; stand-ins for core's own where left out. */
  readonly services?: () => ServiceValues;
  /** Calls that succeed, one at least, each of a tool that the set lists. */
  readonly examples: readonly {
    readonly tool: string;
    readonly input: JsonObject;
    readonly matches?: unknown;
  }[];
  /** A call that the source refuses. */
  readonly badCall: { readonly tool: string; readonly input: JsonObject };
  /** Options with which nothing can be listed: a source that is not there. */
  readonly unreachable: Readonly<Record<string, unknown>>;
}

/** The conformance suite of a set of tools. */
export function describeToolSet(definition: ToolDefinition, given: ToolSetConformance): void {
  describeCases(`tool set ${definition.id}`, toolSetCases(definition, given));
}

/** What a set of tools promises. */
export function toolSetCases(
  definition: ToolDefinition,
  given: ToolSetConformance,
): readonly ConformanceCase[] {
  return [
    ...definitionCases(definition, "tool"),
    ...wordCases(definition),
    {
      name: "is declared as a set",
      run: () => expect(definition.set, "declare it with defineToolSet").toBeTypeOf("object"),
    },
    {
      name: "is created at once and opens nothing",
      run: () => {
        const services = servicesFor(definition.inject, given.services?.());
        const options = withDefaults(definition.options, given.options);
        const made = createQuietly(definition.inject, services, (watched) =>
          setOf(definition, options, watched),
        );
        expect(made.list).toBeTypeOf("function");
      },
    },
    ...listCases(definition, given),
    ...callCases(definition, given),
  ];
}

function listCases(
  definition: ToolDefinition,
  given: ToolSetConformance,
): readonly ConformanceCase[] {
  return [
    {
      name: "lists tools with a name, a description, an effect and schemas that can be used",
      run: async () => {
        const tools = await list(open(definition, given));
        expect(tools.length, "tools").toBeGreaterThan(0);
        for (const { name, description, effect, input, output } of tools) {
          expect(name).toMatch(/^[\w./:-]{1,128}$/);
          expect(description, `description of ${name}`).toMatch(/\S/);
          expect(["read", "idempotent", "once"], `effect of ${name}`).toContain(effect);
          for (const schema of output === undefined ? [input] : [input, output]) {
            expect(unlikeJson(schema), `schema of ${name}`).toEqual([]);
            expect(() => compileLoosely(schema), `schema of ${name}`).not.toThrow();
          }
          expect(input["type"], `input of ${name}`).toBe("object");
        }
        expect(new Set(tools.map(({ name }) => name)).size, "names").toBe(tools.length);
      },
    },
    {
      name: "lists the same in the same order when asked again",
      run: async () => {
        const set = open(definition, given);
        const [first, second] = [await list(set), await list(set)];
        const said = (tools: readonly ListedTool[]): unknown => JSON.parse(JSON.stringify(tools));
        expect(said(second)).toEqual(said(first));
      },
    },
    {
      name: "says plainly why nothing can be listed, and lists nothing in silence",
      run: async () => {
        const options = withDefaults(definition.options, given.unreachable);
        const services = servicesFor(definition.inject, given.services?.());
        const set = setOf(definition, options, services);
        expectPlainFailure(await failureOf(async () => await list(set), "listing must fail"));
      },
    },
    {
      name: "stops listing when it is aborted, and lists afterwards",
      run: async () => {
        const set = open(definition, given);
        const [ending] = await Promise.allSettled([
          list(set, AbortSignal.abort(new Error("left"))),
        ]);
        expect(ending.status).toBe("rejected");
        expect((await list(set)).length).toBeGreaterThan(0);
      },
    },
  ];
}

function callCases(
  definition: ToolDefinition,
  given: ToolSetConformance,
): readonly ConformanceCase[] {
  return [
    {
      name: "answers its examples",
      run: async () => {
        expect(given.examples.length, "examples").toBeGreaterThan(0);
        const tools = await list(open(definition, given));
        for (const { tool, input, matches } of given.examples) {
          const result = await call(tools, tool, input);
          expect(unlikeJson(result), "the result as JSON").toEqual([]);
          if (matches !== undefined) expect(result).toEqual(matches);
        }
      },
    },
    {
      name: "refuses a bad call with a plain message, and goes on",
      run: async () => {
        const tools = await list(open(definition, given));
        const { tool, input } = given.badCall;
        expectPlainFailure(
          await failureOf(async () => await call(tools, tool, input), `${tool} must refuse`),
        );
        const [example] = given.examples;
        if (example !== undefined) await call(tools, example.tool, example.input);
      },
    },
  ];
}

function open(definition: ToolDefinition, given: ToolSetConformance): ToolSet {
  const services = servicesFor(definition.inject, given.services?.());
  return setOf(definition, withDefaults(definition.options, given.options), services);
}

function setOf(
  definition: ToolDefinition,
  options: Readonly<Record<string, unknown>>,
  services: ServiceValues,
): ToolSet {
  return definition.create(options as never, services as never) as unknown as ToolSet;
}

function list(
  set: ToolSet,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ListedTool[]> {
  return set.list(signal, () => undefined);
}

async function call(
  tools: readonly ListedTool[],
  name: string,
  input: JsonObject,
): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`the set lists no ${name}`);
  return await tool.run(deepFreeze(structuredClone(input)), toolContext({}));
}
