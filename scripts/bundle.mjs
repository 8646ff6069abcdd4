// With `--command` the command alone, for the tests that run it.
// Bundles what is loaded at every start, because reading hundreds of small modules is most of a cold start: the command
// into packages/cli/bundle (one small entry, a chunk for each part that is loaded on demand), and core's door for
// plugins over what the compiler wrote.
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outdir = join(root, "packages/cli/bundle");

// The package's own module build; under Node's condition it offers CommonJS alone, which neither shakes nor splits.
const yaml = join(
  dirname(createRequire(join(root, "packages/core/package.json")).resolve("yaml/package.json")),
  "browser/index.js",
);
const settings = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  metafile: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["@loopwright/source"],
  alias: { yaml },
  // CommonJS parts ask for Node's own modules.
  banner: {
    js: 'import { createRequire as loopwrightCreateRequire } from "node:module"; const require = loopwrightCreateRequire(import.meta.url);',
  },
  logLevel: "warning",
};

await rm(outdir, { recursive: true, force: true });
const { metafile } = await build({
  ...settings,
  entryPoints: ["packages/cli/src/main.ts"],
  outdir,
  splitting: true,
  // Large and needed only by the first call to an endpoint, or to a server of tools.
  external: ["openai", "@modelcontextprotocol/client"],
});
// Most plugins read nothing that a model wrote: what does so, and all that it stands on, is loaded by the first call.
const readers = {
  "./structured/parse-structured.ts": ["parseStructured"],
  "./structured/parse-react.ts": ["parseReact"],
  "./structured/compile-dialect.ts": ["compileDialect"],
  "./structured/find-text-calls.ts": ["findTextCalls"],
};
if (!process.argv.includes("--command")) await bundlePluginDoor();
const lazy =
  /packages\/cli\/src\/lsp\/|packages\/core\/src\/schema\/(?!load-)|vscode-languageserver|csv-parse|hyparquet/;
for (const entry of ["packages/cli/src/main.ts", "packages/cli/src/commands/check.ts"]) {
  const early = loadedWith(entry).find((input) => lazy.test(input));
  if (early !== undefined)
    throw new Error(`${entry} loads ${early}, which only an editor or a batch needs`);
}
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
process.stderr.write(
  `bundled ${Object.keys(metafile.outputs).length} files, ${Math.round(bytes / 1024)} kB\n`,
);

/** Core's door for plugins: its readers apart, loaded by the first call. */
async function bundlePluginDoor() {
  await build({
    ...settings,
    stdin: {
      contents: Object.keys(readers)
        .map((path) => `export { ${readers[path]} } from "${path}";`)
        .join("\n"),
      resolveDir: join(root, "packages/core/src"),
    },
    format: "cjs",
    banner: {},
    outfile: "packages/core/dist/plugin-readers.cjs",
  });
  await build({
    ...settings,
    entryPoints: ["packages/core/src/plugin.ts"],
    outfile: "packages/core/dist/plugin.js",
    external: ["./plugin-readers.cjs"],
    plugins: [{ name: "load-readers-late", setup: loadReadersLate }],
  });
}

/** Puts functions that load the readers in the place of the readers. */
function loadReadersLate({ onResolve, onLoad }) {
  const namespace = "late";
  onResolve({ filter: /^\.\/structured\// }, ({ path, importer }) =>
    path in readers && importer.endsWith("plugin.ts") ? { path, namespace } : undefined,
  );
  onLoad({ filter: /./, namespace }, ({ path }) => ({
    contents: readers[path]
      .map(
        (name) =>
          `export const ${name} = (...given) => require("./plugin-readers.cjs").${name}(...given);`,
      )
      .join("\n"),
    resolveDir: root,
  }));
}

/** The source files that are loaded as soon as one of them is, over all chunks that it imports. */
function loadedWith(entry) {
  const { outputs } = metafile;
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (first === undefined) throw new Error(`the bundle has no chunk for ${entry}`);
  const chunks = new Set([first]);
  for (const chunk of chunks)
    for (const { path, kind } of outputs[chunk].imports)
      if (kind === "import-statement" && path in outputs) chunks.add(path);
  return [...chunks].flatMap((chunk) => Object.keys(outputs[chunk].inputs));
}
