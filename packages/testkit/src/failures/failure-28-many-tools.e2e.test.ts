import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

// langchainjs#9661, mastra#23658: the types of a project with many tools take all memory, or never end.

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const COUNT = 250;
/**
 * A definition takes about 1,600 instantiations, and the door of plugins 15,000: 415,000 in all, measured with TypeScript
 * 6.0. The bound leaves room for richer contracts; types that look at the other definitions too, even once, pass it by far.
 */
const MAX_INSTANTIATIONS = 600_000;
const MAX_MEMORY_KILOBYTES = 512 * 1024;

let folder = "";
beforeAll(async () => {
  // Inside the workspace, so that the packages are found.
  folder = await mkdtemp(join(repository, "packages/testkit/.many-tools-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A definition of the usual size, none like another. */
function definition(index: number): string {
  return `import { defineTool, Type, type ToolDefinition } from "@loopwright/core/plugin";

export const tool${index}: ToolDefinition = defineTool({
  id: "tool-${index}",
  description: "Does thing ${index}. Use it for ${index}, not for others. Returns a text and a total.",
  options: Type.Object({
    limit${index}: Type.Integer({ default: ${index} }),
    mode: Type.Union([Type.Literal("mode-${index}"), Type.Literal("plain")]),
  }),
  input: Type.Object({
    item${index}: Type.String(),
    count: Type.Optional(Type.Integer()),
    tags: Type.Array(Type.Object({ name: Type.String(), weight${index}: Type.Number() })),
  }),
  output: Type.Object({ text: Type.String(), total${index}: Type.Number() }),
  effect: "read",
  create:
    ({ limit${index}, mode }) =>
    ({ item${index}, count, tags }) => ({
      text: item${index} + mode,
      total${index}: (count ?? 0) + limit${index} + tags.reduce((sum, one) => sum + one.weight${index}, 0),
    }),
});
`;
}

async function writeProject(): Promise<void> {
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  const entries = numbers.map(
    (index) =>
      `  { kind: "tool", id: "tool-${index}", load: async () => (await import("./tool-${index}.ts")).tool${index} },\n`,
  );
  const door = `import type { PluginPackage } from "@loopwright/core/plugin";\n\nexport const many: PluginPackage = { name: "many", entries: [\n${entries.join("")}] };\n`;
  const options = {
    noEmit: true,
    allowImportingTsExtensions: true,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
  };
  const config = {
    extends: "../../../tsconfig.base.json",
    compilerOptions: options,
    include: ["*.ts"],
  };
  await Promise.all([
    ...numbers.map((index) => writeFile(join(folder, `tool-${index}.ts`), definition(index))),
    writeFile(join(folder, "builtin.ts"), door),
    writeFile(join(folder, "tsconfig.json"), JSON.stringify(config)),
  ]);
}

/** Checks the types of the project; gives what the compiler says of itself. */
async function checkTypes(): Promise<{ readonly code: number; readonly printed: string }> {
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const child = spawn(process.execPath, [compiler, "-p", folder, "--extendedDiagnostics"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, printed };
}

function numberAfter(name: string, printed: string): number {
  return Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(printed)?.[1]);
}

it(`type-checks a project with ${COUNT} tools in little memory and few instantiations`, async () => {
  await writeProject();
  const { code, printed } = await checkTypes();
  expect(printed).not.toContain("error TS");
  expect(code).toBe(0);
  // A definition that were not looked at would cost nothing.
  expect(numberAfter("Instantiations", printed)).toBeGreaterThan(COUNT * 100);
  expect(numberAfter("Instantiations", printed)).toBeLessThan(MAX_INSTANTIATIONS);
  expect(numberAfter("Memory used", printed)).toBeLessThan(MAX_MEMORY_KILOBYTES);
}, 300_000);
