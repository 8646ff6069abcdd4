import type {
  JsonObject,
  JsonSchema,
  ToolContext,
  ToolDefinition,
  ToolFunction,
} from "@loopwright/core/plugin";
import { expect } from "vitest";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { createQuietly } from "./create-quietly.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import {
  compileStrictly,
  misfitsOf,
  propertiesOf,
  unlikeJson,
  withDefaults,
} from "./json-schema.ts";
import { expectPlainFailure, failureOf } from "./plain-failure.ts";
import { type ServiceValues, servicesFor } from "./services.ts";
import { toolContext } from "./tool-context.ts";

/** A call that a tool can answer. */
export interface ToolExample {
  readonly input: JsonObject;
  /** What comes back: a text or number exactly, of an object the fields named here; matchers may stand inside. */
  readonly matches?: unknown;
}

/** What a tool is tried with. */
export interface ToolConformance {
  readonly options?: Readonly<Record<string, unknown>>;
  /** The services that the tool asks for, fresh for every case; stand-ins for core's own where left out. */
  readonly services?: () => ServiceValues;
  /** Calls that succeed, one at least. */
  readonly examples: readonly ToolExample[];
  /** Calls that the input schema or the tool refuses, one at least. */
  readonly badInputs: readonly JsonObject[];
}

type Call = ToolFunction<unknown, unknown>;

/** The conformance suite of a tool. */
export function describeTool(definition: ToolDefinition, given: ToolConformance): void {
  describeCases(`tool ${definition.id}`, toolCases(definition, given));
}

/** What a tool promises. */
export function toolCases(
  definition: ToolDefinition,
  given: ToolConformance,
): readonly ConformanceCase[] {
  return [
    ...definitionCases(definition, "tool"),
    ...manualCases(definition, given),
    ...callCases(definition, given),
  ];
}

/** What a tool's own description and effect promise. */
export function wordCases(definition: ToolDefinition): readonly ConformanceCase[] {
  return [
    {
      name: "says what it does to the world",
      run: () => expect(["read", "idempotent", "once"]).toContain(definition.effect),
    },
    {
      name: "has a manual: purpose, when, when not, what comes back",
      run: () => {
        const sentences = definition.description.match(/[^.!?\n]{3,}[.!?](?=\s|$)/g) ?? [];
        expect(sentences.length, "sentences").toBeGreaterThanOrEqual(4);
        expect(definition.description.length).toBeGreaterThanOrEqual(160);
      },
    },
  ];
}

function manualCases(
  definition: ToolDefinition,
  given: ToolConformance,
): readonly ConformanceCase[] {
  return [
    ...wordCases(definition),
    {
      name: "takes an object of arguments that ajv compiles strictly, each with a description",
      run: () => {
        const schema = inputSchemaOf(definition, given);
        expect(schema["type"]).toBe("object");
        expect(unlikeJson(schema)).toEqual([]);
        expect(() => compileStrictly(schema)).not.toThrow();
        for (const [name, argument] of Object.entries(propertiesOf(schema)))
          expect(argument["description"], `description of ${name}`).toMatch(/\S{2}/);
      },
    },
    {
      name: "has an output schema, if any, in plain JSON that ajv compiles strictly",
      run: () => {
        if (definition.output === undefined) return;
        expect(unlikeJson(definition.output)).toEqual([]);
        expect(() => compileStrictly(definition.output)).not.toThrow();
      },
    },
    {
      name: "is created at once and opens nothing",
      run: () => {
        const services = servicesFor(definition.inject, given.services?.());
        const made = createQuietly(definition.inject, services, (watched) =>
          definition.create(optionsOf(definition, given) as never, watched as never),
        );
        expect(made).toBeTypeOf("function");
      },
    },
  ];
}

function callCases(definition: ToolDefinition, given: ToolConformance): readonly ConformanceCase[] {
  const open = (): Call => openTool(definition, given);
  const schema = (): JsonSchema => inputSchemaOf(definition, given);
  return [
    {
      name: "answers its examples with what the output schema allows",
      run: async () => {
        expect(given.examples.length, "examples").toBeGreaterThan(0);
        for (const { input, matches } of given.examples) {
          expect(misfitsOf(input, schema()), "the example's input").toEqual([]);
          const result = await open()(deepFreeze(structuredClone(input)), context());
          expectFits(result, definition);
          if (matches !== undefined) expectMatch(result, matches);
        }
      },
    },
    {
      name: "gives the same again, unless it acts once",
      run: async () => {
        if (definition.effect === "once") return;
        for (const { input } of given.examples) {
          const call = open();
          const first = await call(input, context());
          expect(await call(input, context())).toEqual(first);
        }
      },
    },
    {
      name: "refuses bad input by its schema or with a plain message",
      run: async () => {
        expect(given.badInputs.length, "bad inputs").toBeGreaterThan(0);
        for (const input of given.badInputs) {
          if (misfitsOf(input, schema()).length > 0) continue;
          const wanted = `${JSON.stringify(input)} must be refused`;
          expectPlainFailure(
            await failureOf(async () => await open()(deepFreeze(input), context()), wanted),
          );
        }
      },
    },
    {
      name: "heeds an abort or finishes in good order, and can be called again",
      run: async () => {
        for (const { input } of given.examples) {
          const call = open();
          await endsWell(call, input, AbortSignal.abort(), definition);
          const abort = new AbortController();
          const pending = endsWell(call, input, abort.signal, definition);
          abort.abort();
          await pending;
          expectFits(await call(input, context()), definition);
        }
      },
    },
  ];
}

function optionsOf(
  definition: ToolDefinition,
  given: ToolConformance,
): Readonly<Record<string, unknown>> {
  return withDefaults(definition.options, given.options);
}

function inputSchemaOf(definition: ToolDefinition, given: ToolConformance): JsonSchema {
  const { input } = definition;
  return typeof input === "function" ? input(optionsOf(definition, given) as never) : input;
}

function openTool(definition: ToolDefinition, given: ToolConformance): Call {
  const services = servicesFor(definition.inject, given.services?.());
  return definition.create(optionsOf(definition, given) as never, services as never) as Call;
}

function context(signal: AbortSignal = new AbortController().signal): ToolContext {
  return toolContext({ signal });
}

function expectFits(result: unknown, { output }: ToolDefinition): void {
  expect(unlikeJson(result), "the result as JSON").toEqual([]);
  if (output !== undefined) expect(misfitsOf(result, output), "the result").toEqual([]);
}

function expectMatch(result: unknown, matches: unknown): void {
  if (typeof matches === "object" && matches !== null && typeof result === "object")
    expect(result).toMatchObject(matches);
  else expect(result).toEqual(matches);
}

async function endsWell(
  call: Call,
  input: JsonObject,
  signal: AbortSignal,
  definition: ToolDefinition,
): Promise<void> {
  const [ending] = await Promise.allSettled([(async () => await call(input, context(signal)))()]);
  if (ending.status === "fulfilled") expectFits(ending.value, definition);
  else expect(ending.reason).toBeInstanceOf(Error);
}
