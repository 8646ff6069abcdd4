import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, type JsonObject, type PluginDefinition, type RunEvent } from "@loopwright/core";
import { type ConstraintLayer, type ProviderRequest, ProviderError } from "@loopwright/core/plugin";
import { providers } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";
import { stubOpenAi } from "../stub-servers/stub-openai.ts";
import { layeredModel } from "./layered-model.ts";

const SPEC = "model: layered/m\nstrategy: direct\noutput: { fields: { count: integer } }\n";
const FITTING = '{"count": 4}';

function lacking(...layers: readonly ConstraintLayer[]): (request: ProviderRequest) => string {
  return ({ output }) => {
    const lacks = layers.find((layer) => layer === output?.layer);
    if (lacks === undefined) return FITTING;
    throw new ProviderError("provider-rejected", "response_format is not supported", {
      details: { lacks },
    });
  };
}

function layersOf(requests: readonly ProviderRequest[]): readonly unknown[] {
  return requests.map(({ output }) => output?.layer);
}

function factsOf(run: SpecRun, name: string): readonly unknown[] {
  return run.events.filter((event) => event.name === name).map(({ data }) => data);
}

describe("the constraint ladder", () => {
  it("goes down where the endpoint says that it lacks a layer, tells it, and stays there", async () => {
    const { plugin, requests } = layeredModel({}, lacking("json-schema", "json-mode"));
    const run = await runScripted(SPEC.replace("direct", "[direct, direct]"), [], {
      plugins: [plugin],
    });
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(layersOf(requests)).toEqual(["json-schema", "json-mode", "prompt", "prompt"]);
    expect(factsOf(run, "constraint.lowered")).toMatchObject([
      { model: "layered/m", from: "json-schema", to: "json-mode" },
      { model: "layered/m", from: "json-mode", to: "prompt" },
    ]);
    const starts = factsOf(run, "model-call.start") as readonly { readonly layer: unknown }[];
    expect(starts.map(({ layer }) => layer)).toEqual(layersOf(requests));
  });

  it("skips the layer between where the endpoint lacks both", async () => {
    const { plugin, requests } = layeredModel({}, ({ output }) => {
      if (output?.layer === "prompt") return FITTING;
      throw new ProviderError("provider-rejected", "no response_format", {
        details: { lacks: "json-mode" },
      });
    });
    await runScripted(SPEC, [], { plugins: [plugin] });
    expect(layersOf(requests)).toEqual(["json-schema", "prompt"]);
  });

  it("is learned by an app, by endpoint and model", async () => {
    const { plugin, requests } = layeredModel({}, (request) =>
      request.model === "m" ? lacking("json-schema")(request) : FITTING,
    );
    const app = await createApp({
      plugins: [...builtIn, packageOf([plugin])],
      discovery: false,
      env: {},
    });
    for (const model of ["m", "m", "other"]) {
      const text = specOf(SPEC.replace("layered/m", `layered/${model}`));
      const outcome = await app.start(await app.compile({ text })).outcome;
      expect(outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    }
    await app.close();
    const asked = requests.map(({ model, output }) => [model, output?.layer]);
    expect(asked).toEqual([
      ["m", "json-schema"],
      ["m", "json-mode"],
      ["m", "json-mode"],
      ["other", "json-schema"],
    ]);
  });

  it("is not left for a bad answer, nor for a refusal that says nothing of a layer", async () => {
    const said = ["four", FITTING];
    const { plugin, requests } = layeredModel({}, () => said.shift() ?? "");
    const run = await runScripted(SPEC, [], { plugins: [plugin] });
    expect(run.outcome.outcome).toBe("done");
    expect(layersOf(requests)).toEqual(["json-schema", "json-schema"]);
    const refusing = layeredModel({}, () => {
      throw new ProviderError("provider-rejected", "the request is too long");
    });
    const refused = await runScripted(SPEC, [], { plugins: [refusing.plugin] });
    expect(refused.outcome).toMatchObject({ fault: { code: "provider-rejected" } });
    expect(layersOf(refusing.requests)).toEqual(["json-schema"]);
  });

  it("begins no higher than the provider can", async () => {
    const { plugin, requests } = layeredModel({ structured: "json-mode" }, () => FITTING);
    await runScripted(SPEC, [], { plugins: [plugin] });
    expect(layersOf(requests)).toEqual(["json-mode"]);
    expect(requests[0]?.messages[0]?.text).toMatch(/JSON[^]*An example[^]*\{"count":/);
  });

  it("begins no higher than the spec says", async () => {
    const { plugin, requests } = layeredModel({}, () => FITTING);
    const model = "{ use: layered/m, structured: json-mode }";
    await runScripted(SPEC.replace("layered/m", model), [], { plugins: [plugin] });
    expect(layersOf(requests)).toEqual(["json-mode"]);
  });

  it("gives JSON mode the tokens that it needs, where the spec names none", async () => {
    const capabilities = { structured: "json-mode", jsonTokens: 4096 } as const;
    const own = layeredModel(capabilities, () => FITTING);
    await runScripted(SPEC, [], { plugins: [own.plugin] });
    expect(own.requests[0]?.sampling).toEqual({ maxTokens: 4096 });
    const said = layeredModel(capabilities, () => FITTING);
    const model = "{ use: layered/m, maxTokens: 300 }";
    await runScripted(SPEC.replace("layered/m", model), [], { plugins: [said.plugin] });
    expect(said.requests[0]?.sampling).toEqual({ maxTokens: 300 });
  });

  it("asks in words alone where a schema does not go with tools", async () => {
    const said = ["", FITTING];
    const { plugin, requests } = layeredModel({ isSchemaAloneOnly: true }, () => {
      const text = said.shift() ?? "";
      const { calls = [] } = text === "" ? calling("stock", "box") : {};
      const toolCalls = calls.map(({ name }) => ({ id: "call-1", name, arguments: "{}" }));
      return { text, message: { role: "assistant", text, reasoning: "", toolCalls } };
    });
    const body = SPEC.replace("direct", "{ react: { maxSteps: 2 } }");
    const run = await runScripted(`tools: [stock]\n${body}`, [], {
      plugins: [plugin, toolOf("stock", () => "4")],
    });
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(layersOf(requests)).toEqual(["prompt", "json-schema"]);
    expect(factsOf(run, "constraint.lowered")).toEqual([]);
  });
});

const OPTIONAL = `model: layered/m
strategy: [direct, direct]
output:
  schema:
    type: object
    properties:
      code: { type: string, pattern: "^A[0-9]+$" }
      note: { type: string }
    required: [code]
`;

describe("a schema that a dialect can't say in full", () => {
  it("is loosened on the wire, told once, and held to in the reply", async () => {
    const said = ['{"code": "B1"}', '{"code": "A1"}', '{"code": "A2"}'];
    const { plugin, requests } = layeredModel({ dialect: "mfjs" }, () => said.shift() ?? "");
    const run = await runScripted(OPTIONAL, [], { plugins: [plugin] });
    expect(run.outcome).toMatchObject({ outcome: "done", value: { code: "A2" } });
    expect(JSON.stringify(requests[0]?.output?.schema)).not.toContain("pattern");
    expect(requests[0]?.messages[0]?.text).toContain("^A[0-9]+$");
    expect(factsOf(run, "constraint.loosened")).toEqual([
      { model: "layered/m", schema: "answer", dialect: "mfjs", parts: ["pattern at code"] },
    ]);
    expect(factsOf(run, "output.rejected")).toHaveLength(1);
  });

  it("takes the nulls out that stand for optional fields", async () => {
    const text =
      '{"code": "A1", "note": null, "evidence": [], "solvable": true, "unsolvableReason": null}';
    const { plugin, requests } = layeredModel({ dialect: "openai" }, () => text);
    const run = await runScripted(OPTIONAL, [], { plugins: [plugin] });
    expect(requests[0]?.output?.schema["required"]).toContain("note");
    expect(run.outcome).toMatchObject({ outcome: "done" });
    expect(run.outcome.value).toEqual({ code: "A1" });
    expect(requests).toHaveLength(2);
  });

  it("goes a layer down before any call where the dialect has no words for it", async () => {
    const tree = `model: layered/m
strategy: direct
output:
  schema:
    type: object
    properties: { root: { $ref: "#/$defs/node" } }
    required: [root]
    $defs:
      node: { type: object, properties: { next: { $ref: "#/$defs/node" } }, additionalProperties: false }
`;
    const { plugin, requests } = layeredModel(
      { dialect: "anthropic" },
      () => '{"root": {"next": {}}}',
    );
    const run = await runScripted(tree, [], { plugins: [plugin] });
    expect(run.outcome).toMatchObject({ outcome: "done", value: { root: { next: {} } } });
    expect(layersOf(requests)).toEqual(["json-mode"]);
    expect(factsOf(run, "constraint.lowered")).toMatchObject([
      { from: "json-schema", to: "json-mode", reason: expect.stringContaining("anthropic") },
    ]);
  });

  it("hashes alike on every layer and in every dialect, so that a recording replays anywhere", async () => {
    const capabilities = [{}, { dialect: "mfjs" }, { structured: "prompt" }] as const;
    const hashes = await Promise.all(
      capabilities.map(async (one) => {
        const { plugin, requests } = layeredModel(one, () => '{"code": "A1"}');
        await runScripted(OPTIONAL, [], { plugins: [plugin] });
        return requests.map(({ requestHash }) => requestHash);
      }),
    );
    expect(hashes[1]).toEqual(hashes[0]);
    expect(hashes[2]).toEqual(hashes[0]);
    const other = layeredModel({}, () => '{"code": "A1"}');
    await runScripted(OPTIONAL.replace("[0-9]", "[1-9]"), [], { plugins: [other.plugin] });
    expect(other.requests[0]?.requestHash).not.toBe(hashes[0]?.[0]);
  });
});

describe("an endpoint on the wire", () => {
  it("is asked on the next layer after a 400 that names the one above", async () => {
    const server = await stubOpenAi({
      replies: ({ body }) => {
        const format = (body["response_format"] as { readonly type?: string } | undefined)?.type;
        return format === "json_schema"
          ? { status: 400, text: "response_format of type json_schema is not supported" }
          : { text: FITTING };
      },
    });
    const model = `model: { use: openai/m, baseUrl: "${server.url}", apiKey: k }`;
    const { outcome, events } = await runSpec(specOf(SPEC.replace("model: layered/m", model)), {
      plugins: [...builtIn, providers],
    });
    await server.close();
    expect(outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    const formats = server.requests.map((body) => body["response_format"]);
    expect(formats).toMatchObject([{ type: "json_schema" }, { type: "json_object" }]);
    const lowered = events.flatMap((event) =>
      event.name === "constraint.lowered" ? [event.data.reason] : [],
    );
    expect(lowered).toEqual([expect.stringMatching(/json_schema is not supported$/u)]);
    expect(unbalanced(events)).toEqual([]);
  });
});

/** Runs a spec, and its recording twice; the events are alike each time. */
async function expectReplayed(
  body: string,
  plugin: PluginDefinition,
  value: JsonObject,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "loopwright-ladder-"));
  const logged = (file: string): string => `${body}sinks: { log: { use: jsonl, path: ${file} } }\n`;
  const first = await runScripted(logged("log0.jsonl"), [], { plugins: [plugin], root });
  expect(first.outcome).toMatchObject({ outcome: "done", value });
  const app = await createApp({
    plugins: [...builtIn, providers],
    discovery: false,
    env: {},
    root,
  });
  for (const [index, file] of ["log0.jsonl", "log0.jsonl", "log1.jsonl"].entries()) {
    const model = `{ use: replay/m, file: ${file} }`;
    const text = specOf(logged(`log${index + 1}.jsonl`).replace(/(?<=^model: ).*/m, model));
    const run = app.start(await app.compile({ text }));
    const events: RunEvent[] = [];
    run.on("*", (event) => events.push(event));
    const outcome = await run.outcome;
    expect(outcome).toMatchObject({ outcome: "done" });
    expect(outcome.value).toEqual(value);
    const without = { without: ["constraint.loosened"] } as const;
    expect(eventNames(events, without)).toEqual(eventNames(first.events, without));
  }
  await app.close();
  await rm(root, { recursive: true });
}

describe("a recording", () => {
  it("of a run that went down the ladder replays as often as one likes, with the same events", async () => {
    const body = SPEC.replace("direct", "[direct, direct]");
    const { plugin } = layeredModel({ dialect: "openai" }, lacking("json-schema", "json-mode"));
    await expectReplayed(body, plugin, { count: 4 });
  });

  it("holds in which dialect a reply was asked for, so that its nulls are taken out again", async () => {
    const text =
      '{"code": "A1", "note": null, "evidence": [], "solvable": true, "unsolvableReason": null}';
    const { plugin } = layeredModel({ dialect: "openai" }, () => text);
    await expectReplayed(OPTIONAL, plugin, { code: "A1" });
  });

  it("replays a reply that was cut, whatever limit its endpoint had, and one whose raised limit was refused", async () => {
    for (const most of [10_000, 150]) {
      const { plugin } = layeredModel(
        { structured: "json-mode", jsonTokens: 100 },
        ({ sampling: { maxTokens = 0 }, messages }) => {
          if (maxTokens > most) throw new ProviderError("provider-rejected", "too many tokens");
          return messages.length > 2 ? FITTING : { text: '{"count":', finishReason: "length" };
        },
      );
      const body = SPEC.replace("integer }", "integer }, repair: 2");
      await expectReplayed(body, plugin, { count: 4 });
    }
  });
});
