import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exampleFolder } from "./example-specs.ts";
import { type Ended, repository, type SpawnOptions, spawnCommand } from "./spawn-command.ts";

const cwd = exampleFolder();
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const loopwright = (args: string[], options: Partial<SpawnOptions> = {}): Promise<Ended> =>
  spawnCommand(args, { cwd, ...options });

describe("run", () => {
  test("--json prints one object on standard output and nothing else", async () => {
    const args = ["run", "answer.yaml", "-", "-i", "id=007", "-i", "count=2", "--json"];
    const { code, stdout } = await loopwright(args, { input: "Quickly.\n" });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "done",
      verified: "none",
      value: null,
      answer: { text: "It is on its way.", evidence: [], solvable: true },
      spending: { modelCalls: 1, toolCalls: 0 },
      runId: expect.any(String),
      durationMs: expect.any(Number),
    });
  });

  test("prints the answer itself where the spec has no console sink", async () => {
    const { code, stdout, stderr } = await loopwright([
      "run",
      "answer.yaml",
      "-i",
      "id=1",
      "-i",
      "count=2",
    ]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "It is on its way.\n",
      stderr: "",
    });
  });

  test("an input of another type than declared: 4", async () => {
    const { code, stderr } = await loopwright([
      "run",
      "answer.yaml",
      "-i",
      "id=1",
      "-i",
      "count=two",
    ]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^loopwright: an input of `example` does not fit: .*count/u);
  });

  test("a broken spec: 4, with place and repair, without a stack", async () => {
    const { code, stdout, stderr } = await loopwright(["run", "broken.yaml", "--json"]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/broken\.yaml:4:5 LW-YAML-NULL/u);
    expect(stderr).not.toMatch(/^\s+at /mu);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "spec-invalid", diagnostics: [{ line: 4, code: "LW-YAML-NULL" }] },
    });
  });

  test("a limit: 2, with the partial answer", async () => {
    const { code, stdout, stderr } = await loopwright(["run", "limited.yaml"]);
    expect(code).toBe(2);
    expect(stdout).toBe("This far I came.\n");
    expect(stderr).toMatch(/^loopwright: the run ended limited: /mu);
  });

  test("no key: the set-up must be mended, and it says which one", async () => {
    const { code, stderr } = await loopwright(["run", "keyless.yaml"]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^loopwright: .*DEEPSEEK_API_KEY/u);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("without a terminal an approval is denied, and said", async () => {
    const { code, stdout, stderr } = await loopwright(["run", "approval.yaml"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^loopwright: calculator was denied: nobody is there to approve it/u);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout).toContain("I was not allowed to add.");
  });

  test("--yes approves, loudly", async () => {
    const { code, stdout, stderr } = await loopwright(["run", "approval.yaml", "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toContain("--yes: every tool call that asks for approval gets it, unseen");
    expect(stderr).toContain("approved calculator without asking (--yes)");
    expect(stdout).toContain("It is 5.");
  });

  test("Ctrl-C in the middle: 3, and what stands is printed", async () => {
    let isPressed = false;
    const onOutput: SpawnOptions["onOutput"] = (child, printed) => {
      if (isPressed || !printed.includes("It is on its way.")) return;
      isPressed = true;
      setTimeout(() => child.kill("SIGINT"), 100);
    };
    const { code, stdout, stderr } = await loopwright(["run", "slow.yaml"], { onOutput });
    expect(code).toBe(3);
    expect(stderr).toContain("stopping; once more to kill");
    expect(stdout).toMatch(/aborted[\s\S]*It is on its way\./u);
  });

  test("a reader that goes away stops it: 3, quietly, and every start has its end", async () => {
    const onOutput: SpawnOptions["onOutput"] = (child) => child.stdout?.destroy();
    const { code, stderr } = await loopwright(["run", "slow-log.yaml"], { onOutput });
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    const names = readFileSync(join(cwd, "slow.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => String(JSON.parse(line).name));
    expect(names.at(-1)).toBe("run.end");
    const count = (end: string): number => names.filter((name) => name.endsWith(end)).length;
    expect(count(".start")).toBe(count(".end"));
  });
});

test("check tells everything, file by file: 4", async () => {
  const args = ["unclosed", "unknown", "gone", "folder", "keyless"].map((name) => `${name}.yaml`);
  const { code, stdout, stderr } = await loopwright(["check", ...args]);
  expect(code).toBe(4);
  expect(stderr).toBe("");
  expect(stdout).toContain("unclosed.yaml: 1 error, 0 warnings\n");
  expect(stdout).toContain("fix: did you mean `direct`?");
  expect(stdout).toContain("unknown.yaml: 2 errors, 0 warnings\n");
  expect(stdout).toContain("`gone.yaml` does not exist");
  expect(stdout).toContain("`folder.yaml` is not a regular file");
  expect(stdout).toContain(
    "keyless.yaml: ok; at most 2 model calls (10 calls when some fail and are made again) and 0 tool calls\n",
  );
});

test("lessons need no key", async () => {
  const { code, stdout, stderr } = await loopwright(["lessons", "list", "keyless.yaml"]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "no lessons yet\n", stderr: "" });
});

test("an unknown command: 64, one line", async () => {
  const { code, stdout, stderr } = await loopwright(["rnu", "answer.yaml"]);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toBe("loopwright: there is no command `rnu`; did you mean `run`?\n");
});

test("ends quietly when the reader goes away", async () => {
  const onOutput: SpawnOptions["onOutput"] = (child) => child.stdout?.destroy();
  const { code, stderr } = await loopwright(["plugins", "--json"], { onOutput });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("the demo is caught, learns, knows better, and leaves nothing behind", async () => {
  const { code, stdout } = await loopwright(["demo"], { cwd: repository });
  expect(code).toBe(0);
  const [, first = "", second = "", third = ""] = stdout.split(/^\d of 3: /mu);
  expect(first).toMatch(/verdict\s+revise[\s\S]*verdict\s+pass[\s\S]*learned/u);
  expect(second).toMatch(/recalled\s+1 lesson/u);
  expect(second).not.toMatch(/verdict\s+revise/u);
  expect(third).toContain("I find no order A20260824999");
  expect(third).toMatch(
    /\nThe same spec against a live endpoint [\s\S]*\n {2}--model '\*=ollama\/MODEL'\n$/u,
  );
  const left = readdirSync(join(repository, ".loopwright"));
  expect(left.filter((name) => name.startsWith("demo-"))).toEqual([]);
});
