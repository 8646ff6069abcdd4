import { formatDiagnostic } from "../src/spec/text/diagnostic.ts";
import {
  compileSpec,
  type CompileResult,
  type CompileSettings,
} from "../src/compile/compile-spec.ts";
import type { PluginSource } from "../src/compile/plugin-source.ts";
import type { Program } from "../src/program/program.ts";
import { defineCheck } from "../src/contracts/check.ts";
import { defineMemory } from "../src/contracts/memory.ts";
import type { PluginDefinition, PluginKind } from "../src/contracts/plugin-definition.ts";
import { defineProvider } from "../src/contracts/provider.ts";
import {
  duration,
  expression,
  fields,
  path,
  secret,
  template,
  Type,
} from "../src/contracts/schema.ts";
import { defineSink } from "../src/contracts/sink.ts";
import { defineTool } from "../src/contracts/tool.ts";
import { nearestNames } from "../src/spec/text/suggest.ts";
import { stubControl } from "./stub-control.ts";
import { stubStrategies } from "./stub-strategies.ts";

const description = "A stub.";
const manual = "Does what its name says. Use it when asked, not otherwise. It returns text.";
const never = (): never => {
  throw new Error("a stub does not run");
};

const plugins: readonly PluginDefinition[] = [
  ...stubStrategies,
  ...stubControl,
  defineProvider({
    id: "openai",
    description,
    options: Type.Object({
      baseUrl: Type.Optional(Type.String()),
      apiKey: Type.Optional(secret()),
    }),
    profileFields: Type.Object({
      endpoint: Type.Optional(Type.String()),
      structured: Type.Optional(
        Type.Union([Type.Literal("json-schema"), Type.Literal("json-mode")]),
      ),
      parallelCalls: Type.Optional(Type.Boolean()),
    }),
    free: ["ollama"],
    thinks: (profile) => profile === "kimi",
    validate: ({ baseUrl }, { profile, overrides }) => [
      ...(profile === "custom" && baseUrl === undefined
        ? [{ message: "it has no address", repair: "add `baseUrl: http://127.0.0.1:8000/v1`" }]
        : []),
      ...(overrides?.["endpoint"] === "nowhere"
        ? [{ message: "`endpoint` is no address", option: "profile", repair: "write http://" }]
        : []),
    ],
    create: never,
  }),
  defineProvider({
    id: "scripted",
    description,
    options: Type.Object({ file: Type.Optional(path()) }),
    free: ["scripted"],
    create: never,
  }),
  defineTool({
    id: "orders/query",
    description: manual,
    options: Type.Object({}),
    input: Type.Object({ orderId: Type.String() }),
    effect: "read",
    create: never,
  }),
  defineTool({
    id: "parcels/query",
    description: manual,
    options: Type.Object({}),
    input: Type.Object({ parcelId: Type.String() }),
    effect: "read",
    create: never,
  }),
  defineTool({
    id: "orders/update-address",
    description: manual,
    options: Type.Object({}),
    input: Type.Object({ orderId: Type.String() }),
    effect: "once",
    create: never,
  }),
  defineTool({
    id: "http-get",
    description: manual,
    options: Type.Object({
      url: Type.String(),
      headers: Type.Optional(Type.Record(Type.String(), secret())),
      input: fields(),
    }),
    input: (options) => options.input as never,
    effect: "read",
    validate: ({ url }) =>
      url.includes("@")
        ? [
            {
              message: "an address may not hold a user name or a password",
              option: "url",
              repair: "put them into a header",
            },
          ]
        : [],
    create: never,
  }),
  defineTool({
    id: "calculator",
    description: manual,
    options: Type.Object({}),
    input: Type.Object({ expression: Type.String() }),
    effect: "read",
    create: never,
  }),
  defineCheck({
    id: "evidence",
    description,
    options: Type.Object({}),
    requires: "tools",
    run: never,
  }),
  defineCheck({
    id: "constraints",
    description,
    options: Type.Object({}),
    requires: "constraints",
    isLeftToJudge: ({ text, rule }) => rule === undefined && !text.startsWith("At most"),
    run: never,
  }),
  defineCheck({
    id: "arithmetic",
    description,
    options: Type.Object({
      equals: Type.Union([Type.Number(), template()]),
      uses: Type.Optional(Type.Union([template(), Type.Array(Type.Number())])),
    }),
    run: never,
  }),
  defineCheck({
    id: "rule",
    description,
    options: Type.Object({ expr: expression("bool"), message: Type.String() }),
    run: never,
  }),
  defineMemory({
    id: "file",
    description,
    options: Type.Object({ path: path(), ttl: duration({ default: 7_776_000_000 }) }),
    create: never,
  }),
  defineSink({ id: "console", description, options: Type.Object({}), create: never }),
  defineSink({ id: "jsonl", description, options: Type.Object({ path: path() }), create: never }),
  defineSink({
    id: "journal",
    description,
    options: Type.Object({ path: path({ writes: true }) }),
    create: never,
  }),
];

const profiles: Readonly<Record<string, string>> = {
  deepseek: "openai",
  qwen: "openai",
  kimi: "openai",
  custom: "openai",
  ollama: "openai",
};

/** The stub definitions as the compiler's source of plugins. */
export const stubPlugins: PluginSource = {
  ids: (kind) => plugins.filter((plugin) => plugin.kind === kind).map((plugin) => plugin.id),
  find: async (kind: PluginKind, id: string) => {
    const wanted = kind === "provider" ? (profiles[id] ?? id) : id;
    const ofKind = plugins.filter((plugin) => plugin.kind === kind);
    const short = ofKind.filter((plugin) => plugin.id.endsWith(`/${wanted}`));
    if (short.length > 1) return { status: "ambiguous", ids: short.map((plugin) => plugin.id) };
    const definition = ofKind.find((plugin) => plugin.id === wanted) ?? short[0];
    if (definition !== undefined)
      return {
        status: "found",
        id: definition.id,
        package: "stubs",
        definition: definition as never,
      };
    const otherKinds = plugins.filter((plugin) => plugin.id === id).map((plugin) => plugin.kind);
    const known = [...stubPlugins.ids(kind), ...(kind === "provider" ? Object.keys(profiles) : [])];
    return { status: "missing", near: nearestNames(id, known), otherKinds };
  },
};

/** Compiles a spec with the stubs. */
export function compileText(
  text: string,
  settings: Partial<CompileSettings> = {},
): Promise<CompileResult> {
  return compileSpec(
    { text, file: "spec.yaml" },
    { plugins: stubPlugins, env: {}, root: "/", ...settings },
  );
}

/** Compiles a spec that must have no errors. */
export async function programOf(
  text: string,
  settings: Partial<CompileSettings> = {},
): Promise<Program> {
  const { program, diagnostics, sources } = await compileText(text, settings);
  if (program === undefined)
    throw new Error(
      diagnostics.map((item) => formatDiagnostic(item, sources.get(item.file))).join("\n\n"),
    );
  return program;
}
