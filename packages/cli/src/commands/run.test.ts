import { readFileSync, rmSync, writeFileSync } from "node:fs";
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
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/dry run +acme\/write was not executed +text: hello/u);
  expect(stdout).toContain('it would have been called with {"text":"hello"}');
  expect(stdout).toContain("It is written.");
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
  const said =
    "loopwright: a question of the spec was not answered: nobody is there; its `onTimeout` holds\n";
  const goesOn = await runInProcess("run", at("ask.yaml"));
  expect(goesOn).toEqual({ code: 0, stdout: "It is on its way.\n", stderr: said });
  const stops = await runInProcess("run", at("ask-stop.yaml"));
  expect(stops.code).toBe(0);
  expect(stops.stdout).toContain("Nobody replied to: Which colour?");
  expect(stops.stderr.startsWith(said)).toBe(true);
});
