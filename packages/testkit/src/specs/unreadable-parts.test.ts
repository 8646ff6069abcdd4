import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { OrderDatabase } from "@acme/loopwright-orders";
import { type App, createApp, provide } from "@loopwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { galleryPackages } from "./gallery-packages.ts";

const folder = fileURLToPath(new URL("../../../../fixtures/gallery/", import.meta.url));
const specs = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => ({ file, lines: readFileSync(`${folder}${file}`, "utf8").split("\n") }));

/** Spoils a line, or says with undefined that it can't be spoiled so. */
type Spoil = (line: string) => string | undefined;

const spoils: readonly (readonly [name: string, spoil: Spoil])[] = [
  ["a value is missing", (line) => withValue(line, () => "")],
  ["a value is a tag", (line) => withValue(line, (value) => `!!str ${value}`)],
  ["a quote is never closed", (line) => withValue(line, () => `"open`)],
  ["a bracket is never closed", (line) => withValue(line, () => "[open")],
  ["a value is hexadecimal", (line) => withValue(line, () => "0x1F")],
  ["a key is indented by mistake", (line) => (/^[a-z]+:/.test(line) ? ` ${line}` : undefined)],
  ["a tab indents", (line) => (/^ {2}\S/.test(line) ? `\t${line.trimStart()}` : undefined)],
];

function withValue(line: string, change: (value: string) => string): string | undefined {
  const parts = /^((?: *- )? *[\w-]+: )([^\s{[>|&*].*)$/.exec(line);
  return parts === null ? undefined : `${parts[1]}${change(parts[2] ?? "")}`;
}

describe("a spec with a part that YAML can't read", () => {
  let app: App;

  beforeAll(async () => {
    app = await createApp({
      plugins: galleryPackages,
      services: [provide(OrderDatabase, {} as OrderDatabase)],
      discovery: false,
      root: folder,
      env: {},
    });
  });
  afterAll(() => app.close());

  async function errorsOf(file: string, text: string): Promise<readonly string[]> {
    const { diagnostics } = await app.check({ text, file: `${folder}${file}` });
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code, line, message }) => `${line} ${code} ${message}`);
  }

  it.each(spoils)("is told nothing that follows from it: %s", async (_name, spoil) => {
    const noise: string[] = [];
    for (const { file, lines } of specs) {
      for (const [row, line] of lines.entries()) {
        const spoiled = spoil(line);
        if (spoiled === undefined) continue;
        // oxlint-disable-next-line no-await-in-loop -- one after the other, for the memory
        const errors = await errorsOf(file, lines.with(row, spoiled).join("\n"));
        const others = errors.filter((error) => !/^\d+ LW-YAML-/.test(error));
        if (errors.length === 0 || others.length > 0)
          noise.push(`${file}:${row + 1} ${spoiled.trim()} → ${errors.join(" | ")}`);
      }
    }
    expect(noise).toEqual([]);
  });

  it("is told what is wrong elsewhere", async () => {
    const missed: string[] = [];
    for (const { file, lines } of specs) {
      const text = [...lines, "descripton: Odd.", "voice: { }", 'limits: ["', ""].join("\n");
      // oxlint-disable-next-line no-await-in-loop -- one after the other, for the memory
      const errors = await errorsOf(file, text);
      if (!errors.some((error) => error.includes("LW-SPEC-UNKNOWN-KEY"))) missed.push(file);
      if (!errors.some((error) => error.includes("LW-YAML-SYNTAX"))) missed.push(file);
    }
    expect(missed).toEqual([]);
  });
});
