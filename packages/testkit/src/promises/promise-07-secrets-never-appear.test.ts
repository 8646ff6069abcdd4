import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provide } from "@loopwright/core";
import {
  defineProvider,
  defineTool,
  type Delta,
  NO_USAGE,
  ProviderError,
  type ProviderRequest,
  Secrets,
  secret,
  Type,
} from "@loopwright/core/plugin";
import { providers } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSpec } from "../run-spec.ts";
import { stubOpenAi } from "../stub-servers/stub-openai.ts";
import { builtIn, runScripted, type ScriptedRun, specOf, toolOf } from "./run-scripted.ts";

const CANARY = 'canary/"4711"-in-a-coal-mine';
const FORMS = [CANARY, JSON.stringify(CANARY).slice(1, -1), encodeURIComponent(CANARY)];

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-secrets-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** A provider with a secret option; says what the test wants, with the secret in it. */
function leaky(
  say: (
    key: string,
    call: number,
    onDelta: (delta: Delta) => void,
  ) => {
    readonly text?: string;
    readonly arguments?: string;
  },
  requests: ProviderRequest[],
) {
  return defineProvider({
    id: "leaky",
    free: ["leaky"],
    description: "Leaks its key.",
    options: Type.Object({ apiKey: secret() }),
    create: ({ apiKey }) => ({
      generate: async (request, { onDelta }) => {
        requests.push(request);
        const said = say(apiKey, requests.length, onDelta ?? (() => undefined));
        const toolCalls =
          said.arguments === undefined
            ? []
            : [{ id: "c", name: "stock", arguments: said.arguments }];
        const message = {
          role: "assistant" as const,
          text: said.text ?? "",
          reasoning: said.text ?? "",
          toolCalls,
          opaque: { signed: said.text ?? "" },
        };
        return { message, usage: NO_USAGE, finishReason: "stop" };
      },
      capabilities: () => ({ tools: true, structured: "json-schema" }),
    }),
  });
}

const HEAD = 'model: { use: leaky/model, apiKey: "${secret:SHOP_PASS}" }\n';
/** Every run appends to one file in the root. */
const sink = (): string =>
  `sinks: [{ jsonl: { path: ${JSON.stringify(join(root, "log.jsonl"))} } }]\n`;
const env = { SHOP_PASS: CANARY };

async function expectHidden(run: ScriptedRun, requests: readonly ProviderRequest[]): Promise<void> {
  const log = await readFile(join(root, "log.jsonl"), "utf8");
  const prompts = JSON.stringify(requests.map(({ messages, tools }) => [messages, tools]));
  const everything = [JSON.stringify(run.events), log, JSON.stringify(run.outcome), prompts];
  for (const text of everything) {
    for (const form of FORMS) expect(text).not.toContain(form);
    expect(text).not.toContain("coal-mine");
  }
}

describe("promise 7: a secret never appears", () => {
  it("that a provider throws", async () => {
    const requests: ProviderRequest[] = [];
    const provider = leaky((key) => {
      throw new ProviderError(
        "provider-failed",
        `no access with ${key} (${encodeURIComponent(key)})`,
      );
    }, requests);
    const run = await runScripted(`${HEAD}strategy: direct\n${sink()}`, [], {
      plugins: [provider],
      env,
      root,
    });
    expect(run.outcome).toMatchObject({ outcome: "failed" });
    expect(run.outcome.reason).toContain("no access with [redacted] ([redacted])");
    await expectHidden(run, requests);
  });

  it("that a model says, in deltas cut at any place", async () => {
    for (let cut = 0; cut <= CANARY.length; cut += 3) {
      const requests: ProviderRequest[] = [];
      const provider = leaky((key, _call, onDelta) => {
        onDelta({ kind: "text", text: `it is ${key.slice(0, cut)}` });
        onDelta({ kind: "text", text: `${key.slice(cut)}, yes ${key.slice(0, 3)}` });
        return { text: `it is ${key}, yes ${key.slice(0, 3)}` };
      }, requests);
      const run = await runScripted(`${HEAD}strategy: [direct, direct]\n${sink()}`, [], {
        plugins: [provider],
        env,
        root,
      });
      expect(run.outcome.answer.text).toBe("it is [redacted], yes can");
      const deltas = run.events.filter((event) => event.name === "model-call.delta");
      const first = deltas.filter((event) => event.key === deltas[0]?.key);
      expect(first.map(({ data }) => data.text).join("")).toBe("it is [redacted], yes can");
      await expectHidden(run, requests);
    }
  });

  it("that a tool holds, is called with, returns and throws", async () => {
    const requests: ProviderRequest[] = [];
    const inputs: unknown[] = [];
    const provider = leaky(
      (key, call) =>
        call < 3 ? { arguments: JSON.stringify({ item: `${call} ${key}` }) } : { text: "done" },
      requests,
    );
    const stock = defineTool({
      id: "stock",
      description: "How much there is.",
      options: Type.Object({ key: secret() }),
      input: Type.Object({ item: Type.String() }),
      effect: "read",
      create:
        ({ key }) =>
        ({ item }) => {
          inputs.push(item);
          if (item.startsWith("1")) return { item, key };
          throw new Error(`refused: ${key}`);
        },
    });
    const run = await runScripted(
      `${HEAD}tools: { stock: { key: "\${secret:SHOP_PASS}" } }\nstrategy: [react, direct]\n${sink()}`,
      [],
      { plugins: [provider, stock], env, root },
    );
    expect(inputs).toEqual(["1 [redacted]", "2 [redacted]"]);
    expect(run.outcome.state.observations).toMatchObject([
      { content: 'item: 1 [redacted]\nkey: "[redacted]"' },
      { content: "stock failed: refused: [redacted]" },
    ]);
    await expectHidden(run, requests);
  });

  it("that a header of an endpoint carries", async () => {
    const server = await stubOpenAi({
      replies: (_body, index) => ({ text: `call ${index}: the header said ${CANARY}` }),
    });
    const use = `use: ollama/any, baseUrl: "${server.url}"`;
    const headers = 'headers: { "X-Team": "${secret:SHOP_PASS}", "X-Plain": blue }';
    try {
      const run = await runSpec(
        specOf(`model: { ${use}, ${headers} }\nstrategy: direct\n${sink()}`),
        { plugins: [...builtIn, providers], env, root },
      );
      expect(server.received[0]?.headers).toMatchObject({ "x-team": CANARY, "x-plain": "blue" });
      expect(run.outcome.answer.text).toMatch(/the header said \[redacted\]$/);
      await expectHidden({ ...run, requests: [] }, []);
    } finally {
      await server.close();
    }
  });

  it("that a host's own vault holds and a plugin read there", async () => {
    const reading = {
      ...toolOf("stock", () => undefined),
      inject: { secrets: Secrets },
      create: ((_options: never, { secrets }: { secrets: Secrets }) =>
        () =>
          `the key is ${secrets.get("VAULT")}`) as never,
    };
    const run = await runScripted(
      `tools: [stock]\nstrategy: { react: { maxSteps: 2 } }\n${sink()}`,
      [{ calls: [{ name: "stock", arguments: {} }] }, `it is ${CANARY}`],
      { plugins: [reading], services: [provide(Secrets, { get: () => CANARY })], root },
    );
    expect(run.outcome.answer.text).toBe("it is [redacted]");
    expect(run.outcome.state.observations[0]?.content).toBe("the key is [redacted]");
    await expectHidden(run, run.requests);
  });

  it("that the environment holds under a telling name, or that a plugin read there", async () => {
    const leaking = {
      ...toolOf("stock", () => undefined),
      inject: { secrets: Secrets },
      create: ((_options: never, { secrets }: { secrets: Secrets }) =>
        () => {
          return `${secrets.get("PLAIN")} ${CANARY}`;
        }) as never,
    };
    const run = await runScripted(
      `tools: [stock]\ntask: "Use \${env:SHOP_TOKEN}"\nstrategy: { react: { maxSteps: 2 } }\n${sink()}`,
      [{ calls: [{ name: "stock", arguments: {} }] }, `it is ${CANARY} and plain-1234`],
      { plugins: [leaking], env: { SHOP_TOKEN: CANARY, PLAIN: "plain-1234" }, root },
    );
    expect(run.outcome.answer.text).toBe("it is [redacted] and [redacted]");
    expect(run.outcome.state.observations[0]?.content).toBe("[redacted] [redacted]");
    await expectHidden(run, run.requests);
  });
});
