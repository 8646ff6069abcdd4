import type { JsonSchema } from "../contracts/json.ts";
import type { DefinitionByKind } from "../contracts/plugin-definition.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { describeKeys } from "./describe-keys.ts";
import { joinedOptions } from "./model-schemas.ts";
import { optionSchemas, requiredOptions } from "./option-schema.ts";
import { pluginNames } from "./plugin-names.ts";
import {
  closedMap,
  conditional,
  definitionName,
  described,
  listOf,
  oneOfWords,
  orSubstituted,
  reference,
  TEXT,
} from "./schema-forms.ts";

/** A plugin that a section of the spec lists. */
type SectionPlugin = DefinitionByKind["tool" | "memory" | "sink" | "check"];

/** What a section of plugins adds to their options. */
export interface SectionKeys {
  /** Keys beside the options, like the policies of a tool. */
  readonly keys: Readonly<Record<string, JsonSchema>>;
  /** Entries that are no plugins, by the value of `use`, each under `$defs`. */
  readonly others: Readonly<Record<string, string>>;
}

/**
 * Definitions of `tools`, `memory` or `sinks`: a list of ids, or a map of the author's names, each with the options of
 * the plugin that it uses. `NAME.patch` is the section in a patch, where an entry may say a part of its options.
 */
export function namedPluginSchemas(
  section: string,
  definitions: readonly SectionPlugin[],
  { keys, others }: SectionKeys,
): Readonly<Record<string, JsonSchema>> {
  const names = pluginNames(definitions);
  const name = (id: string): string => definitionName(section, id);
  const entry = useEntry(names, others, name);
  const own = ownEntries(section, names, name);
  const bodies = definitions.map((definition): [string, JsonSchema] => [
    name(definition.id),
    bodyOf(definition, keys),
  ]);
  const partial = closedMap(
    describeKeys("tool", {
      use: TEXT,
      ...joinedOptions(definitions.map(({ options }) => options)),
      ...keys,
      ...otherKeys(others),
    }),
  );
  return {
    ...Object.fromEntries(bodies),
    [`${section}.entry`]: entry,
    [`${section}.part`]: partial,
    [section]: orSubstituted(listOf(reference(`${section}.item`)), {
      type: "object",
      properties: own,
      additionalProperties: reference(`${section}.entry`),
    }),
    [`${section}.item`]: listItem(names, name),
    [`${section}.patch`]: orSubstituted(listOf(reference(`${section}.item`)), {
      type: "object",
      additionalProperties: reference(`${section}.part`),
    }),
  };
}

function bodyOf(definition: SectionPlugin, keys: SectionKeys["keys"]): JsonSchema {
  const options = asJsonSchema(definition.options);
  const all = describeKeys("tool", { use: TEXT, ...optionSchemas(options), ...keys });
  return described(firstSentence(definition.description), closedMap(all, requiredOptions(options)));
}

// A name that is an id uses that plugin, unless the entry says another.
function ownEntries(
  section: string,
  names: ReadonlyMap<string, SectionPlugin>,
  nameOf: (id: string) => string,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    [...names].map(([id, definition]) => [
      id,
      described(
        firstSentence(definition.description),
        conditional(
          { required: ["use"] },
          reference(`${section}.entry`),
          reference(nameOf(definition.id)),
        ),
      ),
    ]),
  );
}

// The keys of an agent as a tool stand beside those of plugins.
function otherKeys(others: Readonly<Record<string, string>>): Readonly<Record<string, JsonSchema>> {
  return "agent" in others ? { spec: TEXT } : {};
}

function useEntry(
  names: ReadonlyMap<string, SectionPlugin>,
  others: Readonly<Record<string, string>>,
  nameOf: (id: string) => string,
): JsonSchema {
  const choices: readonly (readonly [string, string])[] = [
    ...[...names].map(([id, { id: full }]) => [id, nameOf(full)] as const),
    ...Object.entries(others),
  ];
  return {
    type: "object",
    properties: describeKeys("tool", {
      use: orSubstituted(oneOfWords(choices.map(([id]) => id))),
    }),
    required: ["use"],
    allOf: choices.map(([id, target]) =>
      conditional({ properties: { use: { const: id } }, required: ["use"] }, reference(target)),
    ),
  };
}

// A bare id cannot stand for a plugin that needs options.
function listItem(
  names: ReadonlyMap<string, SectionPlugin>,
  nameOf: (id: string) => string,
): JsonSchema {
  const bare = [...names].filter(
    ([, { options }]) => requiredOptions(asJsonSchema(options)).length === 0,
  );
  const options = Object.fromEntries(
    [...names].map(([id, { id: full, description }]) => [
      id,
      described(firstSentence(description), {
        ...reference(nameOf(full)),
        not: { required: ["use"] },
      }),
    ]),
  );
  return orSubstituted(oneOfWords(bare.map(([id]) => id)), {
    ...closedMap(options),
    minProperties: 1,
    maxProperties: 1,
  });
}

/** The first line of a plugin's description. */
export function firstSentence(description: string): string {
  return description.split("\n", 1)[0] ?? "";
}
