import type { JsonSchema } from "../contracts/json.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import type { StrategyDefinition } from "../contracts/strategy.ts";
import { otherKeysOf, propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { describeKeys } from "./describe-keys.ts";
import { optionSchemas, requiredOptions } from "./option-schema.ts";
import { pluginNames } from "./plugin-names.ts";
import { firstSentence } from "./named-plugin-schemas.ts";
import {
  BOOLEAN,
  closedMap,
  CONDITION,
  definitionName,
  described,
  KEBAB,
  listOf,
  mapOf,
  named,
  oneOfWords,
  patchable,
  orSubstituted,
  reference,
  TEMPLATE,
} from "./schema-forms.ts";

/** Definitions of a stage: one word, a map with one key, a list; each strategy's options, slots and settings under its key. */
export function stageSchemas(
  strategies: readonly StrategyDefinition[],
): Readonly<Record<string, JsonSchema>> {
  const names = pluginNames(strategies);
  const isBare = (definition: StrategyDefinition): boolean => requiredKeys(definition).length === 0;
  const needing = [...names].filter(([, definition]) => !isBare(definition)).map(([id]) => id);
  const bare = [...names].filter(([, definition]) => isBare(definition)).map(([id]) => id);
  const maps = Object.fromEntries(
    [...names].map(([id, definition]) => [
      id,
      described(
        firstSentence(definition.description),
        reference(definitionName("strategy", definition.id)),
      ),
    ]),
  );
  const word: JsonSchema = named(
    { type: "string", anyOf: [oneOfWords(bare), NAME], not: oneOfWords(needing) },
    "strategy",
  );
  return {
    ...Object.fromEntries(
      strategies.map((one) => [definitionName("strategy", one.id), stageBody(one)]),
    ),
    stage: {
      anyOf: [
        word,
        listOf(reference("stage"), { minItems: 1 }),
        { ...closedMap(maps), minProperties: 1, maxProperties: 1 },
      ],
    },
    "stage.patch": orSubstituted(stagePatch(strategies)),
    stageTools: stageTools(),
  };
}

// A name of `strategies`, or a substitution.
const NAME: JsonSchema = {
  type: "string",
  pattern:
    "^([a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z][a-z0-9]*(-[a-z0-9]+)*)?|\\$\\{(env|file):[^}]+\\})$",
};

function stageBody(definition: StrategyDefinition): JsonSchema {
  const properties = { ...ownKeys(definition), ...commonKeys(definition.voices) };
  return described(
    firstSentence(definition.description),
    closedMap(properties, requiredKeys(definition)),
  );
}

function requiredKeys({ options, slots }: StrategyDefinition): readonly string[] {
  const wanted = Object.entries(slots).filter(([, { optional }]) => !optional);
  const slotNames = Object.keys(slots);
  return [
    ...requiredOptions(asJsonSchema(options)).filter((key) => !slotNames.includes(key)),
    ...wanted.map(([name]) => name),
  ];
}

function ownKeys({ options, slots }: StrategyDefinition): Readonly<Record<string, JsonSchema>> {
  const schema = asJsonSchema(options);
  const children = Object.fromEntries(
    Object.entries(slots).map(([name, slot]) => [
      name,
      described(slot.description, slotSchema(slot, propertiesOf(schema).get(name))),
    ]),
  );
  return { ...optionSchemas(schema), ...children };
}

function slotSchema(slot: SlotDeclaration, option: JsonSchema | undefined): JsonSchema {
  const stage = reference("stage");
  const children = {
    ...mapOf(slot.under === undefined ? stage : entryOf(slot.under, option), KEBAB),
    minProperties: 1,
  };
  switch (slot.form) {
    case "one":
      return stage;
    case "listed":
      return orSubstituted(listOf(stage, { minItems: 1 }));
    default:
      return orSubstituted(named(children, "branch", "definitions"));
  }
}

/** An entry of a named slot that is a map: its stages under one key, the rest is an option of the strategy. */
function entryOf(under: string, option: JsonSchema | undefined): JsonSchema {
  const others = option === undefined ? undefined : otherKeysOf(option);
  const entry = others === undefined || others === true ? {} : others;
  return closedMap({ ...optionSchemas(entry), [under]: reference("stage") }, [
    ...requiredOptions(entry),
    under,
  ]);
}

/** What a patch may say of slots whose entries are maps: all of an entry but its stages. */
function slotPatches({ options, slots }: StrategyDefinition): readonly [string, JsonSchema][] {
  const declared = propertiesOf(asJsonSchema(options));
  return Object.entries(slots).flatMap(([name, { under, description }]) => {
    const entry = otherKeysOf(declared.get(name) ?? {});
    if (under === undefined || entry === undefined || entry === true) return [];
    const changes = mapOf(closedMap(patchable(optionSchemas(entry))), KEBAB);
    return [[name, described(description, orSubstituted(changes))]];
  });
}

/** The settings of every stage. */
function commonKeys(
  voices: readonly string[],
  model: JsonSchema = reference("model"),
): Readonly<Record<string, JsonSchema>> {
  const byVoice = (value: JsonSchema): JsonSchema => ({
    ...closedMap(Object.fromEntries([...voices, "default"].map((voice) => [voice, value]))),
    minProperties: 1,
  });
  const prompt = byVoice(TEMPLATE);
  return describeKeys("common", {
    id: named(KEBAB, "stage", "definition"),
    when: CONDITION,
    always: BOOLEAN,
    model: { anyOf: [model, byVoice(model)] },
    instructions: TEMPLATE,
    prompt: voices.length > 1 ? orSubstituted(prompt) : { anyOf: [TEMPLATE, prompt] },
    examples: reference("examples"),
    tools: reference("stageTools"),
    limits: reference("limits"),
    onError: orSubstituted({ enum: ["fail", "continue"] }),
  });
}

function stageTools(): JsonSchema {
  const policies = { type: "object", additionalProperties: orSubstituted(reference("policy")) };
  return orSubstituted(
    { enum: ["read", "none", "all"] },
    listOf(named({ type: "string" }, "tool")),
    named(policies, "tool", "keys"),
  );
}

/** What a patch may say about a stage whose strategy is known by its id alone. */
function stagePatch(strategies: readonly StrategyDefinition[]): JsonSchema {
  const forms = new Map<string, Map<string, JsonSchema>>();
  for (const definition of strategies) {
    const { id: _, ...common } = commonKeys(definition.voices, reference("model.patch"));
    const slots = Object.keys(definition.slots);
    const own = Object.entries(optionSchemas(asJsonSchema(definition.options)));
    const keys = [...own.filter(([key]) => !slots.includes(key)), ...Object.entries(common)];
    for (const [key, value] of keys) {
      const known = forms.get(key) ?? new Map<string, JsonSchema>();
      forms.set(key, known.set(JSON.stringify({ ...value, description: "", default: "" }), value));
    }
  }
  const properties = [...forms].map(([key, variants]): [string, JsonSchema] => {
    const [first = {}, ...rest] = variants.values();
    return [key, rest.length === 0 ? first : { anyOf: [first, ...rest] }];
  });
  const ofSlots = Object.fromEntries(strategies.flatMap(slotPatches));
  return closedMap({ ...ofSlots, ...patchable(Object.fromEntries(properties)) });
}
