import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { exampleProject } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";
import type { ProjectHealth } from "../project-health.ts";

const folder = exampleProject();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

writeFileSync(at(".env"), "DESK_KEY=the value of a key\n");
writeFileSync(
  at("needs.yaml"),
  `apiVersion: loopwright/v1
name: needs
description: For \${env:DESK_CITY:-Oslo}
task: Hello.
model: { use: openai/any, apiKey: "\${secret:DESK_KEY}", baseUrl: "http://127.0.0.1:9/v1" }
models: { other: { use: openai/other, apiKey: "\${secret:OTHER_KEY}" } }
strategy: [direct, { verify: { model: other } }]
`,
);

const doctor = (...argv: readonly string[]) => runInProcess("doctor", ...argv);

test("tells each variable with its places and never its value, and what is missing: 1", async () => {
  const { code, stdout } = await doctor(at("needs.yaml"));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok +DESK_KEY +set: \S*needs\.yaml:5:\d+$/mu);
  expect(stdout).toMatch(/^!! +OTHER_KEY +not set: \S*needs\.yaml:6:\d+$/mu);
  expect(stdout).toMatch(/^ok +DESK_CITY +not set, and need not be: \S*needs\.yaml:3:\d+$/mu);
  expect(stdout).not.toContain("the value of a key");
});

test("--json tells the same as data", async () => {
  const health = JSON.parse((await doctor(at("needs.yaml"), "--json")).stdout) as ProjectHealth;
  expect(health.isWell).toBe(false);
  expect(health.specs[0]?.variables).toContainEqual({
    name: "OTHER_KEY",
    isSet: false,
    isNeeded: true,
    uses: [expect.stringMatching(/needs\.yaml:6:\d+$/u)],
  });
  expect(JSON.stringify(health)).not.toContain("the value of a key");
});

test("tells where the models are asked", async () => {
  const { stdout } = await doctor(at("needs.yaml"));
  expect(stdout).toMatch(/^ok +openai\/any +http:\/\/127\.0\.0\.1:9\/v1$/mu);
});

test("never tells the user, the password or the query of an endpoint, nor what a variable holds", async () => {
  writeFileSync(
    at("hidden.yaml"),
    `apiVersion: loopwright/v1
name: hidden
task: Hello.
model: { use: ollama/any, baseUrl: "https://u:SECRETPW@h.test/v1?key=SECRETQ" }
models: { other: { use: ollama/other, baseUrl: "\${env:HIDDEN_BASE}" } }
strategy: [direct, { verify: { model: other } }]
`,
  );
  vi.stubEnv("HIDDEN_BASE", "https://h.test/SECRETPATH");
  const [text, json] = [await doctor(at("hidden.yaml")), await doctor(at("hidden.yaml"), "--json")];
  vi.unstubAllEnvs();
  expect(text.stdout).toMatch(/ollama\/any +https:\/\/\S*h\.test\/v1/u);
  expect(text.stdout).toContain("${env:HIDDEN_BASE}");
  expect(text.stdout + json.stdout).not.toContain("SECRET");
});

test("tells the plugins with their versions, and which can't be loaded: 1", async () => {
  const { code, stdout } = await doctor("--root", folder);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok +acme-writer +acme\/write$/mu);
  expect(stdout).toMatch(/^!! +acme-old +.*plugin\/0/mu);
});

test("a plugin whose code can't be loaded is told", async () => {
  const other = exampleProject();
  try {
    const code = "throw new Error('half of it is missing');\n";
    writeFileSync(join(other, "node_modules/acme-writer/index.js"), code);
    const { stdout } = await doctor("--root", other);
    expect(stdout).toMatch(/^!! +acme-writer +.*half of it is missing/mu);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test("a variable of an overlay is needed where the overlay is laid", async () => {
  const head =
    "apiVersion: loopwright/v1\nname: laid\ntask: Hello.\nmodel: ollama/any\nstrategy: direct\n";
  const overlay = "overlays: { prod: { description: 'In ${env:LW_NO_SUCH_CITY}' } }\n";
  writeFileSync(at("laid.yaml"), `${head}${overlay}`);
  const alone = await doctor(at("laid.yaml"), "--no-discovery");
  expect(alone.code).toBe(0);
  expect(alone.stdout).toMatch(/^ok +LW_NO_SUCH_CITY +not set, and need not be: \S+:6:\d+$/mu);
  const laid = await doctor(at("laid.yaml"), "--overlay", "prod", "--no-discovery");
  expect(laid.code).toBe(1);
  expect(laid.stdout).toMatch(/^!! +LW_NO_SUCH_CITY +not set: \S+:6:\d+$/mu);
});

test("the key that a model's endpoint wants is told, though no spec names it", async () => {
  vi.stubEnv("DEEPSEEK_API_KEY", "");
  const { code, stdout } = await doctor(at("keyless.yaml"), "--no-discovery");
  vi.unstubAllEnvs();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^!! +DEEPSEEK_API_KEY +not set: the key of deepseek\/deepseek-v4-flash$/mu,
  );
  expect(stdout).toMatch(/^ok +deepseek\/deepseek-v4-flash +https:\/\/api\.deepseek\.com$/mu);
});

test("all is there: 0", async () => {
  const { code, stdout } = await doctor("--root", folder, "--no-discovery");
  expect({ code, end: stdout.endsWith("all is there\n") }).toEqual({ code: 0, end: true });
});

test("a spec with errors is told, with the command that shows them", async () => {
  const { code, stdout } = await doctor(at("unknown.yaml"), "--no-discovery");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^!! +check +it has errors: loopwright check /mu);
});

test("looks into the agents of a spec: their models, and the secrets that they need: 1", async () => {
  writeFileSync(
    at("inner.yaml"),
    `apiVersion: loopwright/v1
name: inner
task: Hello.
model: { use: openai/inner, apiKey: "\${secret:INNER_KEY}", baseUrl: "http://127.0.0.1:9/v1" }
strategy: direct
`,
  );
  writeFileSync(
    at("outer.yaml"),
    `apiVersion: loopwright/v1
name: outer
task: Hello.
strategy: { agent: { spec: inner.yaml } }
`,
  );
  const { code, stdout } = await doctor(at("outer.yaml"));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^!! +INNER_KEY +not set: \S*inner\.yaml:4:\d+$/mu);
  expect(stdout).toMatch(/^ok +openai\/inner +http:\/\/127\.0\.0\.1:9\/v1$/mu);
});
