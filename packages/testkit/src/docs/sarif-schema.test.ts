import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Ajv } from "ajv";
import { afterAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../../cli/test/run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "loopwright-sarif-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const published = new URL("../../../../fixtures/sarif/sarif-2.1.0-rtm.5.json.gz", import.meta.url);
const { id, $schema, ...schema } = JSON.parse(
  gunzipSync(readFileSync(published)).toString("utf8"),
) as Record<string, unknown>;
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  unicodeRegExp: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    "uri-reference": (text: string) =>
      /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/u.test(text) && URL.canParse(text, "file:///"),
    "date-time": true,
  },
});
const isValid = ajv.compile(schema);

interface Log {
  readonly runs: readonly [
    { readonly results: readonly { readonly level: string; readonly locations: unknown }[] },
  ];
}

const HEAD = "apiVersion: loopwright/v1\nname: desk\ntask: Hello.\nmodel: ollama/any\n";
const SPECS: Readonly<Record<string, string>> = {
  "sound.yaml": `${HEAD}strategy: direct\n`,
  "warned.yaml": `${HEAD}strategy: react\n`,
  "broken.yaml": `${HEAD}toolss: [x]\nstrategy: [{ react: { maxStep: 3 } }, directt]\n`,
  "a b/ä:c #1%.yaml": `${HEAD}strategy: directt\n`,
  "empty.yaml": "",
};
mkdirSync(join(folder, "a b"));
writeFileSync(join(folder, "package.json"), "{}");
for (const [name, text] of Object.entries(SPECS)) writeFileSync(join(folder, name), text);

async function logOf(...given: readonly string[]): Promise<Log> {
  const { stdout } = await runInProcess("check", ...given, "--format", "sarif");
  return JSON.parse(stdout) as Log;
}

describe("the schema of SARIF 2.1.0", () => {
  it("is the one that is published", () => {
    expect([id, $schema]).toEqual([
      expect.stringMatching(/sarif-2\.1\.0-rtm\.5\.json$/u),
      "http://json-schema.org/draft-04/schema#",
    ]);
  });

  it.each(Object.keys(SPECS))("takes the report on %s", async (name) => {
    const log = await logOf(join(folder, name));
    isValid(log);
    expect(isValid.errors).toBeNull();
    expect(log.runs[0].results.length > 0).toBe(name !== "sound.yaml");
  });

  it("takes a report on many specs, and on what the command line says", async () => {
    const specs = ["broken.yaml", "warned.yaml"].map((name) => join(folder, name));
    const log = await logOf(...specs, "--set", "limits.modelCalls=many");
    isValid(log);
    expect(isValid.errors).toBeNull();
    const levels = new Set(log.runs[0].results.map(({ level }) => level));
    expect([...levels].toSorted()).toEqual(["error", "warning"]);
  });

  it("refuses a report that is no SARIF", async () => {
    const log = await logOf(join(folder, "broken.yaml"));
    const [{ results }] = log.runs;
    const odd = { ...results[0], level: "bad" };
    expect(isValid({ ...log, runs: [{ ...log.runs[0], results: [odd] }] })).toBe(false);
  });
});
