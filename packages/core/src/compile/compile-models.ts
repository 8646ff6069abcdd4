import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type {
  ConstraintLayer,
  Price,
  ProviderDefinition,
  Sampling,
} from "../contracts/provider.ts";
import { isJsonObject, type OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { only, without } from "../spec/document/named-entries.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema, modelSchema } from "../spec/document/spec-schemas.ts";
import { type MapNode, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import { resolvePlugin, type CompileContext } from "./compile-context.ts";
import { inspectFiles } from "./inspect-files.ts";
import { type ModelForm, readModelForm, type Roles } from "./model-form.ts";
import type { ModelEntry } from "../program/program.ts";
import { canonicalJson } from "./program-hash.ts";
import { callKeys, callsContent, readCalls } from "./read-calls.ts";
import { reportModelOptions } from "./model-options.ts";
import { readProfile } from "./read-profile.ts";

/** The models of a program; equal ones are one entry. */
export interface ModelTable {
  /** The model that a place in the spec names; undefined when an error was reported. */
  resolve(node: SpecNode): ModelEntry | "none" | undefined;
  /** The spec's own model, or undefined where it has none. */
  default(): ModelEntry | "none" | undefined;
  /** True where the spec says a model of its own. */
  readonly hasDefault: boolean;
}

const plainKeys: readonly string[] = [...propertiesOf(modelSchema).keys()];
const commonKeys: readonly string[] = [
  "use",
  "extends",
  "fallback",
  "profile",
  ...plainKeys,
  ...callKeys,
];

/** Opens the models of a spec. */
export function openModels(
  roles: Roles,
  options: OptionsContext,
  context: CompileContext,
): ModelTable {
  const byContent = new Map<string, ModelEntry>();
  // A role that many stages name is read once, unless there is something to tell of it.
  const byPlace = new Map<SpecNode, ModelEntry>();
  const every = roles.nodes.get("*");
  const resolveFresh = (
    node: SpecNode,
    trail: readonly string[],
    role: string,
  ): ModelEntry | "none" | undefined => {
    const form = readModelForm(node, roles, context, trail, role);
    if (form === undefined || form === "none") return form;
    const made = byPlace.get(form.at);
    if (made?.role === form.role) return made;
    const foundBefore = context.diagnostics.items.length;
    const entry = compileModel(
      form,
      every === undefined ? compileFallback(form, trail, resolveFresh, context) : [],
      options,
      context,
    );
    if (entry === undefined) return undefined;
    const key = contentOf(entry);
    const known = byContent.get(key) ?? entry;
    byContent.set(key, known);
    if (context.diagnostics.items.length === foundBefore) byPlace.set(form.at, known);
    return known;
  };
  const memo = new Map<SpecNode, ModelEntry | "none" | undefined>();
  const resolveOnce = (node: SpecNode): ModelEntry | "none" | undefined => {
    if (memo.has(node)) return memo.get(node);
    const role = roleOf(node, roles);
    const found = resolveFresh(node, role === "" ? [] : [role], role);
    memo.set(node, found);
    return found;
  };
  const resolve = (node: SpecNode): ModelEntry | "none" | undefined => {
    const isNone = node.kind === "scalar" && node.value === "none";
    return resolveOnce(every !== undefined && !isNone ? every : node);
  };
  const standard = every ?? roles.nodes.get("default");
  return {
    resolve,
    default: () => (standard === undefined ? undefined : resolve(standard)),
    hasDefault: standard !== undefined,
  };
}

// The node of a role is resolved under its name, so that cycles and messages know it.
function roleOf(node: SpecNode, roles: Roles): string {
  for (const [name, said] of roles.nodes) if (said === node && name !== "*") return name;
  return "";
}

function compileFallback(
  form: ModelForm,
  trail: readonly string[],
  resolve: (
    node: SpecNode,
    trail: readonly string[],
    role: string,
  ) => ModelEntry | "none" | undefined,
  context: CompileContext,
): readonly ModelEntry[] {
  const node = form.entries.get("fallback")?.value;
  if (node === undefined) return [];
  const items = node.kind === "list" ? node.items : [node];
  const own = form.role === "" || trail.includes(form.role) ? trail : [...trail, form.role];
  const chain = items.flatMap((item): readonly ModelEntry[] => {
    const entry = resolve(item, own, "");
    if (entry === "none")
      context.diagnostics.error(
        "LW-MODEL-FORM",
        item,
        "`none` cannot stand in for a model",
        "write provider/name or a role, or delete it",
      );
    return entry === undefined || entry === "none" ? [] : [entry, ...entry.fallback];
  });
  return [...new Set(chain)];
}

function compileModel(
  form: ModelForm,
  fallback: readonly ModelEntry[],
  options: OptionsContext,
  context: CompileContext,
): ModelEntry | undefined {
  const { text, at } = form.use;
  const { provider, model } = readModelId(text, context);
  if (provider === "" || model === "") {
    context.diagnostics.error(
      "LW-MODEL-FORM",
      at,
      `\`${text}\` is not written provider/name`,
      `write \`${provider === "" ? `PROVIDER/${model}` : `${provider}/NAME`}\``,
    );
    return undefined;
  }
  const found = resolvePlugin("provider", provider, at, context, "LW-MODEL-UNKNOWN-PROVIDER");
  if (found === undefined) return undefined;
  const { definition } = found;
  return {
    id: text,
    role: form.role,
    definition,
    model,
    ...readSettings(form, { provider, model, definition }, options, context),
    fallback,
  };
}

type Settings = Omit<ModelEntry, "id" | "role" | "definition" | "model" | "fallback">;

/** What `provider/name` says: the provider as named, and its plugin. */
interface Named {
  readonly provider: string;
  readonly model: string;
  readonly definition: ProviderDefinition;
}

/** Everything that a model says beside its name. */
function readSettings(
  form: ModelForm,
  { provider, model, definition }: Named,
  options: OptionsContext,
  context: CompileContext,
): Settings {
  const { text, at } = form.use;
  const body: MapNode = {
    kind: "map",
    ...positionOf(at),
    path: form.at.path,
    entries: form.entries,
  };
  const errorsBefore = context.diagnostics.errorCount;
  const { common, own } = readModelOptions(text, body, asJsonSchema(definition.options), options);
  const calls = readCalls(body, common["maxParallel"], options);
  const said = { node: body.entries.get("profile")?.value, provider, definition };
  const profile = readProfile(said, options, context);
  if (context.diagnostics.errorCount === errorsBefore) {
    inspectFiles(definition, own, form, context);
    reportModelOptions(definition, own, { ...profile, model }, form, context);
  }
  const price = priceOf(common["price"], definition.free, profile.profile);
  return {
    ...profile,
    options: own,
    sampling: samplingOf(common),
    calls,
    ...structuredOf(common),
    ...(price === undefined ? {} : { price }),
  };
}

/** `provider/name`; a stranger's provider has a slash in its own id, and a name may have more of them. */
function readModelId(
  text: string,
  { plugins }: CompileContext,
): { readonly provider: string; readonly model: string } {
  const [first = "", second = "", ...rest] = text.split("/");
  const full = `${first}/${second}`;
  const isFull = rest.length > 0 && plugins.has("provider", full);
  const provider = isFull ? full : first;
  return { provider, model: text.slice(provider.length + 1) };
}

function readModelOptions(
  name: string,
  body: MapNode,
  schema: JsonSchema,
  options: OptionsContext,
): { readonly common: JsonObject; readonly own: JsonObject } {
  const owner = {
    name,
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
    alsoKnown: { "of every model": commonKeys },
  } as const;
  return {
    common: readOptions(only(body, plainKeys), modelSchema, owner, options).value,
    own: readOptions(without(body, commonKeys), schema, owner, options).value,
  };
}

function priceOf(
  said: Json | undefined,
  free: readonly string[] | undefined,
  profile: string,
): Price | undefined {
  if (isJsonObject(said)) return said as unknown as Price;
  return free?.includes(profile) === true ? { input: 0, output: 0 } : undefined;
}

function samplingOf(common: JsonObject): Sampling {
  const { temperature, maxTokens, effort } = common as unknown as Sampling;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(effort === undefined ? {} : { effort }),
  };
}

function structuredOf({ structured }: JsonObject): Pick<ModelEntry, "structured"> {
  return structured === undefined ? {} : { structured: structured as ConstraintLayer };
}

/** A model as plain data: what of it decides about a run. */
export function modelContent(entry: ModelEntry): JsonObject {
  return {
    use: entry.id,
    provider: entry.definition.id,
    profile: entry.profile,
    ...(entry.role === "" ? {} : { role: entry.role }),
    ...(Object.keys(entry.options).length === 0 ? {} : { options: entry.options }),
    ...(entry.overrides === undefined ? {} : { overrides: entry.overrides }),
    ...({ ...entry.sampling } as JsonObject),
    ...callsContent(entry.calls, entry.structured),
    ...(entry.price === undefined ? {} : { price: { ...entry.price } }),
    ...(entry.fallback.length === 0 ? {} : { fallback: entry.fallback.map((item) => item.id) }),
  };
}

function contentOf(entry: ModelEntry): string {
  return canonicalJson({ ...modelContent(entry), fallback: entry.fallback.map(contentOf) });
}
