import { writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { PluginDefinition } from "../packages/core/src/plugin.ts";
import { doorsOf } from "./door-exports.ts";
import { filesUnder, repositoryRoot, textOf } from "./source-files.ts";

/** A schema that a manifest names, by its path from the root, and what it must say. */
export interface CommittedSchema {
  readonly file: string;
  readonly text: string;
}

interface ProvidedLine {
  readonly id: string;
  readonly export: string;
  readonly schema?: string;
}

/** The schemas of options that packages publish beside their code, so that they can be read without running it. */
export async function renderPluginSchemas(): Promise<readonly CommittedSchema[]> {
  const manifests = filesUnder("packages").filter((file) =>
    /^packages\/[^/]+\/package\.json$/.test(file),
  );
  return (await Promise.all(manifests.map(schemasOf))).flat();
}

async function schemasOf(manifest: string): Promise<readonly CommittedSchema[]> {
  const { loopwright } = JSON.parse(textOf(manifest)) as {
    readonly loopwright?: { readonly provides?: readonly ProvidedLine[] };
  };
  const made = (loopwright?.provides ?? []).map(async (line) => {
    const { schema } = line;
    if (schema === undefined) return [];
    const text = `${JSON.stringify(await optionsOf(manifest, line), undefined, 2)}\n`;
    return [{ file: posix.join(dirname(manifest), schema), text }];
  });
  return (await Promise.all(made)).flat();
}

async function optionsOf(manifest: string, line: ProvidedLine): Promise<object> {
  const [subpath = "", name = ""] = line.export.split("#");
  const { name: owner } = JSON.parse(textOf(manifest)) as { readonly name: string };
  const door = doorsOf(manifest).find((one) => one.name === posix.join(owner, subpath));
  const source = pathToFileURL(join(repositoryRoot, door?.file ?? "")).href;
  const exported = (await import(source)) as Readonly<Record<string, PluginDefinition>>;
  const definition = exported[name];
  if (definition === undefined || !("options" in definition))
    throw new Error(`${manifest} provides \`${line.id}\`, whose export has no options`);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...asWritten(definition.options),
  };
}

interface OptionsSchema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
}

/** What a spec must write: an option with a default may be left out. */
function asWritten(options: object): object {
  const { required = [], ...schema } = options as OptionsSchema;
  const needed = required.filter((name) => schema.properties[name]?.default === undefined);
  return { ...schema, ...(needed.length === 0 ? {} : { required: needed }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { file, text } of await renderPluginSchemas())
    writeFileSync(join(repositoryRoot, file), text);
