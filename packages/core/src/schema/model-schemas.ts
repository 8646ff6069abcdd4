import type { TSchema } from "../contracts/schema.ts";
import type { JsonSchema } from "../contracts/json.ts";
import type { ProviderDefinition } from "../contracts/provider.ts";
import {
  asJsonSchema,
  modelBreakerSchema,
  modelSchema,
  timeoutSchema,
} from "../spec/document/spec-schemas.ts";
import { describeKeys } from "./describe-keys.ts";
import { optionSchemas } from "./option-schema.ts";
import { rateForm, retryForm } from "./policy-schemas.ts";
import {
  closedMap,
  conditional,
  mapOf,
  named,
  orSubstituted,
  reference,
  TEXT,
} from "./schema-forms.ts";

const MODEL: JsonSchema = named({ type: "string" }, "model");

/** Definitions of models: as a spec says them, and as a patch changes them. */
export function modelSchemas(
  providers: readonly ProviderDefinition[],
): Readonly<Record<string, JsonSchema>> {
  const keys = modelKeys(providers);
  const isOne = { oneOf: [{ required: ["use"] }, { required: ["extends"] }] };
  const isPatch = { not: { required: ["use", "extends"] } };
  const ownOptions = providers.map((provider) => onlyOptionsOf(provider, providers));
  const whole = (more: JsonSchema): JsonSchema => ({
    ...closedMap(keys),
    ...more,
    allOf: ownOptions,
  });
  return {
    model: { anyOf: [MODEL, whole(isOne)] },
    "model.patch": { anyOf: [MODEL, whole(isPatch)] },
    models: orSubstituted(mapOf(reference("model"))),
    "models.patch": orSubstituted(mapOf(reference("model.patch"))),
  };
}

function modelKeys(providers: readonly ProviderDefinition[]): Readonly<Record<string, JsonSchema>> {
  const model = reference("model");
  const common = {
    use: named({ type: "string", pattern: "/|^\\$\\{" }, "model"),
    extends: named(TEXT, "role"),
    fallback: { anyOf: [{ type: "array", items: model }, model] },
    profile: profileForm(providers),
    ...optionSchemas(modelSchema),
    ...callForms(),
  };
  return describeKeys("model", {
    ...joinedOptions(providers.map(({ options }) => options)),
    ...withPrices(common),
  });
}

/** How a model is called. */
function callForms(): Readonly<Record<string, JsonSchema>> {
  const timeouts = optionSchemas(timeoutSchema);
  const { total } = timeouts;
  const { default: _, ...time } = total ?? {};
  return {
    timeout: orSubstituted(time, closedMap(describeKeys("timeout", timeouts))),
    retry: retryForm(),
    breaker: orSubstituted(
      { enum: ["none"] },
      closedMap(describeKeys("breaker", optionSchemas(modelBreakerSchema))),
    ),
    rateLimit: rateForm(),
    tokenRate: rateForm(),
  };
}

/** A profile by its id, or the fields that change one, of any provider that has them. */
function profileForm(providers: readonly ProviderDefinition[]): JsonSchema {
  const fields = providers.flatMap(({ profileFields }) => profileFields ?? []);
  const id = { type: "string", minLength: 1 };
  if (fields.length === 0) return id;
  const keys = describeKeys("profile", { extends: TEXT, ...joinedOptions(fields) });
  return { anyOf: [id, closedMap(keys)] };
}

function withPrices(
  keys: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const { price } = optionSchemas(modelSchema);
  const [map] = Array.isArray(price?.["anyOf"]) ? (price["anyOf"] as readonly JsonSchema[]) : [];
  const properties = map?.["properties"] as Readonly<Record<string, JsonSchema>> | undefined;
  if (map === undefined || properties === undefined) return keys;
  return {
    ...keys,
    price: orSubstituted({ ...map, properties: describeKeys("price", properties) }),
  };
}

// A model whose provider is known by its own id takes that provider's options alone; behind a profile stands any of them.
function onlyOptionsOf(
  provider: ProviderDefinition,
  providers: readonly ProviderDefinition[],
): JsonSchema {
  const own = new Set(Object.keys(provider.options.properties));
  const others = providers
    .flatMap(({ options }) => Object.keys(options.properties))
    .filter((key) => !own.has(key));
  const profile = provider.profileFields === undefined ? { profile: { type: "string" } } : {};
  const isOwn = { type: "string", pattern: `^${provider.id}/` };
  return conditional(
    { properties: { use: isOwn }, required: ["use"] },
    { properties: { ...Object.fromEntries(others.map((key) => [key, false])), ...profile } },
  );
}

/** The options of several plugins together; where they share a key, each one's form is allowed. */
export function joinedOptions(options: readonly TSchema[]): Readonly<Record<string, JsonSchema>> {
  const joined = new Map<string, JsonSchema[]>();
  for (const schema of options) {
    for (const [key, value] of Object.entries(optionSchemas(asJsonSchema(schema)))) {
      const known = joined.get(key) ?? [];
      const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify(value));
      joined.set(key, isKnown ? known : [...known, value]);
    }
  }
  return Object.fromEntries(
    [...joined].map(([key, [first, ...rest]]) => [
      key,
      rest.length === 0 && first !== undefined
        ? first
        : { anyOf: [...(first === undefined ? [] : [first]), ...rest] },
    ]),
  );
}
