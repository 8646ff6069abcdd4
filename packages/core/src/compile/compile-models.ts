import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { Price, Sampling } from "../contracts/provider.ts";
import { isJsonObject, type OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { only, without } from "../spec/document/named-entries.ts";
import { asJsonSchema, modelSchema } from "../spec/document/spec-schemas.ts";
import { type MapNode, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import { resolvePlugin, type CompileContext } from "./compile-context.ts";
import { inspectFiles } from "./inspect-files.ts";
import { type ModelForm, readModelForm, type Roles } from "./model-form.ts";
import type { ModelEntry } from "../program/program.ts";
import { canonicalJson } from "./program-hash.ts";

/** The models of a program; equal ones are one entry. */
export interface ModelTable {
  /** The model that a place in the spec names; undefined when an error was reported. */
  resolve(node: SpecNode): ModelEntry | "none" | undefined;
  /** The spec's own model, or undefined where it has none. */
  default(): ModelEntry | "none" | undefined;
  /** True where the spec says a model of its own. */
  readonly hasDefault: boolean;
}

const samplingKeys: readonly string[] = ["temperature", "maxTokens", "effort", "profile", "price"];
const commonKeys: readonly string[] = ["use", "extends", "fallback", ...samplingKeys];

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
  const errorsBefore = context.diagnostics.errorCount;
  const { common, own } = readModelOptions(form, asJsonSchema(definition.options), options);
  if (context.diagnostics.errorCount === errorsBefore) inspectFiles(definition, own, form, context);
  const profile = typeof common["profile"] === "string" ? common["profile"] : provider;
  const price = priceOf(common["price"], definition.free, profile);
  return {
    id: text,
    role: form.role,
    definition,
    profile,
    model,
    options: own,
    sampling: samplingOf(common),
    ...(price === undefined ? {} : { price }),
    fallback,
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
  form: ModelForm,
  schema: JsonSchema,
  options: OptionsContext,
): { readonly common: JsonObject; readonly own: JsonObject } {
  const owner = {
    name: form.use.text,
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
    alsoKnown: { "of every model": commonKeys },
  } as const;
  const body: MapNode = {
    kind: "map",
    ...positionOf(form.use.at),
    path: form.at.path,
    entries: form.entries,
  };
  return {
    common: readOptions(only(body, samplingKeys), modelSchema, owner, options).value,
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

/** A model as plain data: what of it decides about a run. */
export function modelContent(entry: ModelEntry): JsonObject {
  return {
    use: entry.id,
    provider: entry.definition.id,
    profile: entry.profile,
    ...(entry.role === "" ? {} : { role: entry.role }),
    ...(Object.keys(entry.options).length === 0 ? {} : { options: entry.options }),
    ...({ ...entry.sampling } as JsonObject),
    ...(entry.price === undefined ? {} : { price: { ...entry.price } }),
    ...(entry.fallback.length === 0 ? {} : { fallback: entry.fallback.map((item) => item.id) }),
  };
}

function contentOf(entry: ModelEntry): string {
  return canonicalJson({ ...modelContent(entry), fallback: entry.fallback.map(contentOf) });
}
