import { formatDiagnostic } from "../src/spec/text/diagnostic.ts";
import { compileSpec, type CompileResult, type CompileSettings } from "../src/compile/compile-spec.ts";
import type { PluginSource } from "../src/compile/plugin-source.ts";
import type { Program } from "../src/compile/program.ts";
import { defineCheck } from "../src/contracts/check.ts";
import { defineMemory } from "../src/contracts/memory.ts";
import type { PluginDefinition, PluginKind } from "../src/contracts/plugin-definition.ts";
import { defineProvider } from "../src/contracts/provider.ts";
import { checks, count, duration, expression, fields, memoryName, path, secret, template, Type } from "../src/contracts/schema.ts";
import { defineSink } from "../src/contracts/sink.ts";
import { defineStrategy, generations, one, sumBounds, timesBounds } from "../src/contracts/strategy.ts";
import { defineTool } from "../src/contracts/tool.ts";
import { nearestNames } from "../src/spec/text/suggest.ts";

const never = (): never => {
  throw new Error("a stub does not run");
};
const run = async (): Promise<void> => {};
const description = "A stub.";
const act = { uses: ["plan", "verdict", "thread"], sets: ["answer"], maySet: ["observations", "thread"] } as const;

const strategies = [
  defineStrategy({ id: "direct", description, options: Type.Object({}), flow: { sets: ["answer"] }, bounds: () => generations(1), run }),
  defineStrategy({ id: "plan", description, options: Type.Object({ maxPlanSteps: Type.Integer({ minimum: 1, default: 6 }) }), flow: { sets: ["plan"] }, bounds: () => generations(1), run }),
  defineStrategy({ id: "recall", description, options: Type.Object({ from: memoryName(), maxLessons: Type.Integer({ minimum: 1, default: 3 }) }), flow: { maySet: ["lessons"] }, bounds: () => generations(0), run }),
  defineStrategy({ id: "reflect", description, options: Type.Object({ into: Type.Optional(memoryName()) }), flow: { uses: ["verdict"], maySet: ["lessons"] }, bounds: () => generations(1), run }),
  defineStrategy({ id: "refine", description, options: Type.Object({}), flow: { needs: ["answer", "verdict"], sets: ["answer"] }, bounds: () => generations(1), run }),
  defineStrategy({
    id: "react",
    description,
    options: Type.Object({
      maxSteps: Type.Integer({ minimum: 1, maximum: 100, default: 8 }),
      maxCallsPerStep: Type.Integer({ minimum: 1, default: 4 }),
      mode: Type.Union([Type.Literal("auto"), Type.Literal("native"), Type.Literal("text")], { default: "auto" }),
    }),
    flow: act,
    bounds: (options) => ({ generations: [1, options.maxSteps], toolCalls: [0, (options.maxSteps - 1) * options.maxCallsPerStep] }),
    run,
  }),
  defineStrategy({
    id: "plan-and-solve",
    description,
    options: Type.Object({ maxPlanSteps: Type.Integer({ minimum: 1, default: 6 }) }),
    slots: { do: one({ description: "what carries the plan out", optional: true, provides: ["plan"] }) },
    flow: { sets: ["plan", "answer"] },
    bounds: (_options, children) => sumBounds(generations(1), children.do),
    run,
  }),
  defineStrategy({
    id: "verify",
    description,
    options: Type.Object({
      checks: checks({ default: [] }),
      method: Type.Union([Type.Literal("judge"), Type.Literal("cove-factored")], { default: "judge" }),
      maxRounds: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    }),
    slots: { revise: one({ description: "what mends the answer", optional: true, runs: "maybe", provides: ["verdict"] }) },
    voices: ["judge", "ask", "answer"],
    flow: { needs: ["answer"], sets: ["verdict"], maySet: ["answer"] },
    bounds: (options, children) => sumBounds(generations(1, (options.maxRounds ?? 1) + 1), timesBounds(children.revise, 0, options.maxRounds ?? 1)),
    validate: (options, facts) => [
      ...(options.maxRounds !== undefined && !facts.slots.includes("revise") ? [{ message: "`maxRounds` without `revise` does nothing", option: "maxRounds" }] : []),
      ...(facts.noModel && options.checks.length === 0 ? [{ message: "`model: none` needs checks", option: "model" }] : []),
    ],
    run,
  }),
  defineStrategy({
    id: "tree-of-thoughts",
    description,
    options: Type.Object({ depth: Type.Integer({ minimum: 1, default: 3 }), keep: Type.Integer({ minimum: 1, default: 5 }), votes: Type.Integer({ minimum: 1, default: 3 }) }),
    voices: ["propose", "value", "judge"],
    flow: { sets: ["answer", "candidates"] },
    bounds: ({ depth, keep, votes }) => generations(1, depth * keep * (1 + votes)),
    run,
  }),
  defineStrategy({
    id: "self-consistency",
    description,
    options: Type.Object({ samples: Type.Integer({ minimum: 2, default: 5 }) }),
    slots: { do: one({ description: "what is sampled", optional: true, sampled: true }) },
    voices: ["sample", "judge"],
    flow: { sets: ["answer", "candidates"] },
    bounds: ({ samples }, children) => timesBounds(children.do, samples),
    run,
  }),
  defineStrategy({
    id: "loop",
    description,
    options: Type.Object({ maxRounds: Type.Integer({ minimum: 1, maximum: 20 }), until: Type.Optional(expression("bool")) }),
    slots: { do: one({ description: "what is repeated" }) },
    flow: {},
    bounds: ({ maxRounds }, children) => timesBounds(children.do, 0, maxRounds),
    run,
  }),
  defineStrategy({
    id: "ask",
    description,
    options: Type.Object({
      question: template(),
      options: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
      timeout: Type.Optional(duration()),
      shape: Type.Optional(fields()),
      limits2: Type.Optional(Type.Object({ tokens: count({ default: 100 }), share: Type.Number({ default: 0.5 }) })),
      value: Type.Optional(Type.Union([Type.Number(), template()])),
    }),
    flow: {},
    bounds: () => generations(0),
    run,
  }),
];

const plugins: readonly PluginDefinition[] = [
  ...strategies,
  defineProvider({
    id: "openai",
    description,
    options: Type.Object({ baseUrl: Type.Optional(Type.String()), apiKey: Type.Optional(secret()) }),
    free: ["ollama"],
    create: never,
  }),
  defineProvider({ id: "scripted", description, options: Type.Object({ file: Type.Optional(path()) }), free: ["scripted"], create: never }),
  defineTool({ id: "orders/query", description, options: Type.Object({}), input: Type.Object({ orderId: Type.String() }), effect: "read", create: never }),
  defineTool({ id: "orders/update-address", description, options: Type.Object({}), input: Type.Object({ orderId: Type.String() }), effect: "once", create: never }),
  defineTool({
    id: "http-get",
    description,
    options: Type.Object({ url: Type.String(), headers: Type.Optional(Type.Record(Type.String(), secret())), input: fields() }),
    input: (options) => options.input as never,
    effect: "read",
    create: never,
  }),
  defineTool({ id: "calculator", description, options: Type.Object({}), input: Type.Object({ expression: Type.String() }), effect: "read", create: never }),
  defineCheck({ id: "evidence", description, options: Type.Object({}), requires: "tools", run: never }),
  defineCheck({ id: "constraints", description, options: Type.Object({}), requires: "constraints", run: never }),
  defineCheck({
    id: "arithmetic",
    description,
    options: Type.Object({ equals: Type.Union([Type.Number(), template()]), uses: Type.Optional(Type.Union([template(), Type.Array(Type.Number())])) }),
    run: never,
  }),
  defineCheck({ id: "rule", description, options: Type.Object({ expr: expression("bool"), message: Type.String() }), run: never }),
  defineMemory({ id: "file", description, options: Type.Object({ path: path(), ttl: duration({ default: 7_776_000_000 }) }), create: never }),
  defineSink({ id: "console", description, options: Type.Object({}), create: never }),
  defineSink({ id: "jsonl", description, options: Type.Object({ path: path() }), create: never }),
];

const profiles: Readonly<Record<string, string>> = { deepseek: "openai", qwen: "openai", kimi: "openai", ollama: "openai" };

/** The stub definitions as the compiler's source of plugins. */
export const stubPlugins: PluginSource = {
  ids: (kind) => plugins.filter((plugin) => plugin.kind === kind).map((plugin) => plugin.id),
  find: async (kind: PluginKind, id: string) => {
    const wanted = kind === "provider" ? (profiles[id] ?? id) : id;
    const found = plugins.filter((plugin) => plugin.kind === kind && (plugin.id === wanted || plugin.id.endsWith(`/${wanted}`)));
    const [definition] = found;
    if (definition !== undefined) return { status: "found", id: definition.id, package: "stubs", definition: definition as never };
    const otherKinds = plugins.filter((plugin) => plugin.id === id).map((plugin) => plugin.kind);
    const known = [...stubPlugins.ids(kind), ...(kind === "provider" ? Object.keys(profiles) : [])];
    return { status: "missing", near: nearestNames(id, known), otherKinds };
  },
};

/** Compiles a spec with the stubs. */
export function compileText(text: string, settings: Partial<CompileSettings> = {}): Promise<CompileResult> {
  return compileSpec({ text, file: "spec.yaml" }, { plugins: stubPlugins, env: {}, root: "/", ...settings });
}

/** Compiles a spec that must have no errors. */
export async function programOf(text: string, settings: Partial<CompileSettings> = {}): Promise<Program> {
  const { program, diagnostics, sources } = await compileText(text, settings);
  if (program === undefined) throw new Error(diagnostics.map((item) => formatDiagnostic(item, sources.get(item.file))).join("\n\n"));
  return program;
}
