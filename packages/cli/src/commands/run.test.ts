import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exampleProject } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = exampleProject();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

test("-i takes text from a file and many inputs from another, and --set goes over the spec", async () => {
  writeFileSync(at("mail.txt"), "It is late.\n");
  writeFileSync(at("inputs.json"), '{ "count": 7, "urgent": true, "ticket": "of the file" }');
  const inputs = ["-i", `@${at("inputs.json")}`, "-i", `ticket=@${at("mail.txt")}`];
  const settings = ["--set", "sinks.log.path=set.jsonl", "--json"];
  const { code, stderr } = await runInProcess("run", at("mail.yaml"), ...inputs, ...settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [first = ""] = readFileSync(at("set.jsonl"), "utf8").split("\n");
  expect(JSON.parse(first)).toMatchObject({
    name: "run.start",
    data: {
      task: "It is late. / 7 / true",
      inputs: { count: 7, urgent: true, ticket: "It is late." },
    },
  });
});

test.each([
  [["--set", "strategy.0.maxStep=3"], /LW-/u],
  [["-i", "ticket=@gone.txt"], /-i ticket=@gone\.txt does not exist/u],
  [["-i", "colour=red"], /colour/u],
])("%j is refused with what is wrong", async (argv, message) => {
  const { code, stderr } = await runInProcess("run", at("mail.yaml"), ...argv);
  expect(code).toBe(4);
  expect(stderr).toMatch(message);
});

test("--dry-run acts on nothing; the model and the reader hear what would have happened", async () => {
  const { code, stdout, stderr } = await runInProcess("run", at("effect.yaml"), "--dry-run");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'loopwright: dry run: nothing was done; this would have been\n  1. acme/write {"text":"hello"}\n',
  });
  expect(stdout).toMatch(/dry run +acme\/write was not executed +text: hello/u);
  expect(stdout).toContain('it would have been called with {"text":"hello"}');
  expect(stdout).toContain("It is written.");
  const json = await runInProcess("run", at("effect.yaml"), "--dry-run", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    stubbed: [{ tool: "acme/write", input: { text: "hello" } }],
  });
  const bySpec = await runInProcess("run", at("effect.yaml"), "--set", "dryRun=true", "--json");
  expect(JSON.parse(bySpec.stdout)).toMatchObject({ stubbed: [{ tool: "acme/write" }] });
  const real = await runInProcess("run", at("effect.yaml"));
  expect(real.stdout).toContain("acme/write failed: this test writes nothing");
});

test("an endpoint that refuses the connection: 1, one line that names it", async () => {
  const url = `http://127.0.0.1:${await closedPort()}/v1`;
  const model = `*={ use: ollama/any, baseUrl: "${url}" }`;
  const { code, stdout, stderr } = await runInProcess("run", at("refused.yaml"), "--model", model);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    `loopwright: the run ended failed: Nothing listens at ${url}: is the server running? Start it, or mend \`baseUrl\`.\n`,
  );
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("without a terminal a question is not answered, which is said, and its onTimeout holds", async () => {
  const said = [
    "loopwright: nobody is there to answer the question of the stage ask:",
    "  │ Which colour?",
    "  run it in a terminal to answer; what its spec says for no answer (`onTimeout`) holds\n",
  ].join("\n");
  const goesOn = await runInProcess("run", at("ask.yaml"));
  expect(goesOn).toEqual({ code: 0, stdout: "It is on its way.\n", stderr: said });
  const stops = await runInProcess("run", at("ask-stop.yaml"));
  expect(stops.code).toBe(2);
  expect(stops.stdout).toContain("Nobody replied to: Which colour?");
  expect(stops.stderr.startsWith(said)).toBe(true);
});

test("a script that is broken is told at its place before the run, by check and by run alike", async () => {
  writeFileSync(at("torn.yaml"), "replies:\n  - text: a\n  - texts: b\n");
  const given = [at("answer.yaml"), "--model", "*=scripted/example", "--replies", at("torn.yaml")];
  const ran = await runInProcess("run", ...given, "-i", "id=1", "-i", "count=1");
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 4, stdout: "" });
  expect(ran.stderr).toMatch(
    /torn\.yaml:3:5 LW-FILE-FORMAT replies\[1\] has the unknown key texts/u,
  );
  writeFileSync(
    at("torn-spec.yaml"),
    readFileSync(at("answer.yaml"), "utf8").replace("replies.yaml", "torn.yaml"),
  );
  const checked = await runInProcess("check", at("torn-spec.yaml"));
  expect(checked.code).toBe(4);
  expect(checked.stdout).toMatch(/torn\.yaml:3:5 LW-FILE-FORMAT[^]*note: by `file` at .*:5\n/u);
});

test("a log that can't be written is an error before the run, for check too", async () => {
  const given = [at("mail.yaml"), "--set", "sinks.log.path=folder.yaml"];
  const { code, stdout, stderr } = await runInProcess(
    "run",
    ...given,
    "-i",
    "ticket=x",
    "-i",
    "count=1",
  );
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toContain(
    "LW-FILE-UNWRITABLE `folder.yaml` can't be written: `folder.yaml` is a folder",
  );
  const below = at("mail.yaml");
  const checked = await runInProcess("check", below, "--set", "sinks.log.path=ask.yaml/log.jsonl");
  expect(checked.code).toBe(4);
  expect(checked.stdout).toContain("`ask.yaml` is a file, not a folder");
});

const FAILING = `export const tape = {
  kind: "sink", id: "acme/tape", description: "Tapes.", inject: {},
  options: { type: "object", properties: {} },
  overflow: { maxEvents: 100, maxBytes: 100000, policy: "drop-deltas" },
  create: () => ({ handle() { throw new Error("the tape is torn"); } }),
};
`;

test("a sink that fails in a run is told once, with a console sink or without; the run is done all the same", async () => {
  const tapes = join(folder, "node_modules", "acme-tapes");
  mkdirSync(tapes);
  const provides = [{ kind: "sink", id: "acme/tape", export: ".#tape" }];
  const manifest = {
    name: "acme-tapes",
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
    keywords: ["loopwright-plugin"],
    loopwright: { apiVersion: "plugin/1", provides },
  };
  writeFileSync(join(tapes, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(tapes, "index.js"), FAILING);
  const spec = readFileSync(at("answer.yaml"), "utf8");
  for (const [name, sinks] of Object.entries({
    silent: "[acme/tape]",
    told: "[acme/tape, console]",
  }))
    writeFileSync(at(`${name}.yaml`), `${spec}plugins: ["acme-tapes@^1.0.0"]\nsinks: ${sinks}\n`);
  const inputs = ["-i", "id=1", "-i", "count=1"];
  expect(await runInProcess("run", at("silent.yaml"), ...inputs)).toEqual({
    code: 0,
    stdout: "It is on its way.\n",
    stderr:
      "loopwright: the sink acme/tape failed, and what it took is not complete: the tape is torn\n",
  });
  const told = await runInProcess("run", at("told.yaml"), ...inputs);
  expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 0, stderr: "" });
  expect(told.stdout.match(/the tape is torn/gu)).toHaveLength(1);
});
