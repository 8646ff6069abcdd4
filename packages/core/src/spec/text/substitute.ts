import type { Diagnostics, Severity } from "./diagnostic.ts";
import { loadFileValue } from "./file-value.ts";
import { holdsSubstitution } from "./holds-substitution.ts";
import { IncludeBudget } from "./include-budget.ts";
import {
  childPath,
  nodeFromJson,
  type MapEntry,
  type ScalarNode,
  type SpecNode,
} from "./spec-node.ts";
import {
  countLive,
  escapeLive,
  parseSubstitutions,
  type SubstitutionPart,
} from "./substitution-parts.ts";
import { didYouMean } from "./suggest.ts";

export { resolveRunId, resolveSecrets } from "./substitution-parts.ts";

/** What `substitute` may read, and where it reports. */
export interface SubstituteOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project root: paths in `${file:…}` may not leave it. */
  readonly root: string;
  readonly runId?: string;
  /** Whether the field at this path may hold `${secret:…}`. */
  secretAllowed(path: string): boolean;
  readonly diagnostics: Diagnostics;
  /** How an unset variable without a default is reported; an error unless said otherwise. */
  readonly severityOfUnset?: Severity;
  /** Counts the files that the spec brings in; one of its own unless given. */
  readonly budget?: IncludeBudget;
}

type Settings = SubstituteOptions & { readonly budget: IncludeBudget };

/**
 * Replaces `${env:…}` and `${file:…}` in every value, once: what is put in is never looked at again.
 * `${secret:…}` and `${run:id}` stay as text for `resolveSecrets` and `resolveRunId`; a literal one stays escaped as `$${…}` until then.
 */
export function substitute(node: SpecNode, options: SubstituteOptions): SpecNode {
  return substituteNode(node, { budget: new IncludeBudget(), ...options });
}

function substituteNode(node: SpecNode, options: Settings): SpecNode {
  if (!holdsSubstitution(node)) return node;
  if (node.kind === "scalar") return substituteScalar(node, options);
  if (node.kind === "list") {
    const items = node.items.map((item) => substituteNode(item, options));
    return items.every((item, index) => item === node.items[index]) ? node : { ...node, items };
  }
  let entries: Map<string, MapEntry> | undefined;
  for (const [name, said] of node.entries) {
    const value = substituteNode(said.value, options);
    if (value === said.value) continue;
    entries ??= new Map(node.entries);
    entries.set(name, { ...said, value });
  }
  return entries === undefined ? node : { ...node, entries };
}

function substituteScalar(node: ScalarNode, options: Settings): SpecNode {
  if (typeof node.value !== "string") return node;
  const parts = parseSubstitutions(node.value);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "env") {
    const text = envText(only, node, options);
    if (text === undefined) return { ...node, env: only.name, isUnset: true };
    return { ...node, value: escapeLive(text), fromEnv: true, env: only.name };
  }
  if (parts.length === 1 && only?.kind === "file") return fileNode(only.path, node, options);
  const value = parts.map((part) => pieceText(part, node, options)).join("");
  const expected = parts.filter((part) => part.kind === "secret" || part.kind === "run").length;
  if (parts.every((part) => part.kind !== "fault") && countLive(value) !== expected) {
    const message = "what was put in here forms a new `${…}` together with the text around it";
    options.diagnostics.error(
      "LW-SUBST-SYNTAX",
      node,
      message,
      "change the variable or file, so that it neither ends in `$` nor opens a brace",
    );
  }
  return value === node.value ? node : { ...withoutLayout(node), value };
}

// What is put in moves the text behind it.
function withoutLayout(node: ScalarNode): ScalarNode {
  const { blockIndent: _indent, blockLines: _lines, ...rest } = node;
  return rest;
}

function pieceText(part: SubstitutionPart, node: ScalarNode, options: Settings): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "literal":
      return escapeLive(part.text);
    case "env":
      return escapeLive(envText(part, node, options) ?? part.source);
    case "file":
      return escapeLive(fileText(part.path, node, options) ?? part.source);
    case "secret":
      if (!options.secretAllowed(node.path)) refuseSecret(part.source, node, options);
      return part.source;
    case "fault":
      options.diagnostics.error(part.code, node, part.message, part.suggestion);
      return part.source;
    default:
      return part.source;
  }
}

function envText(
  part: Extract<SubstitutionPart, { kind: "env" }>,
  node: ScalarNode,
  options: Settings,
): string | undefined {
  const value = Object.hasOwn(options.env, part.name) ? options.env[part.name] : undefined;
  if (part.fallback !== undefined)
    return value === undefined || value === "" ? part.fallback : value;
  if (value !== undefined) return value;
  const message = `the environment variable \`${part.name}\` is not set`;
  const near = didYouMean(part.name, Object.keys(options.env).slice(0, 1_000));
  const suggestion = near ?? `set it, or give a default: \${env:${part.name}:-value}`;
  if (options.severityOfUnset === "warning")
    options.diagnostics.warn("LW-SUBST-UNSET", node, message, suggestion);
  else options.diagnostics.error("LW-SUBST-UNSET", node, message, suggestion);
  return undefined;
}

function refuseSecret(source: string, node: ScalarNode, options: Settings): void {
  const message = `\`${source}\` stands in a field that is not marked secret, where it could reach prompts and logs`;
  options.diagnostics.error(
    "LW-SUBST-SECRET-PLACE",
    node,
    message,
    "move it to a secret field, like `apiKey` or `headers`",
  );
}

function fileNode(path: string, node: ScalarNode, options: Settings): SpecNode {
  const loaded = loadFileValue(path, node, options);
  if (loaded === undefined) return { ...node, isUnset: true };
  if (loaded.kind === "text")
    return { ...withoutLayout(node), value: escapeLive(loaded.text), style: "block" };
  if (loaded.kind === "data") return escapeNode(nodeFromJson(loaded.value, node, node.path));
  return escapeNode(rebase(loaded.node, node.path));
}

function fileText(path: string, node: ScalarNode, options: Settings): string | undefined {
  const loaded = loadFileValue(path, node, options, { asText: true });
  return loaded?.kind === "text" ? loaded.text : undefined;
}

// A YAML data file keeps its own lines, so that a fault in it is reported at its own place.
function rebase(node: SpecNode, path: string): SpecNode {
  if (node.kind === "scalar") return { ...node, path };
  if (node.kind === "list")
    return {
      ...node,
      path,
      items: node.items.map((item, index) => rebase(item, childPath(path, index))),
    };
  const entries = new Map<string, MapEntry>();
  for (const [name, { key, value }] of node.entries) {
    const keyPath = childPath(path, name);
    entries.set(name, { key: { ...key, path: keyPath }, value: rebase(value, keyPath) });
  }
  return { ...node, path, entries };
}

function escapeNode(node: SpecNode): SpecNode {
  if (node.kind === "scalar")
    return typeof node.value === "string" ? { ...node, value: escapeLive(node.value) } : node;
  if (node.kind === "list") return { ...node, items: node.items.map(escapeNode) };
  const entries = new Map<string, MapEntry>();
  for (const [name, { key, value }] of node.entries)
    entries.set(name, { key, value: escapeNode(value) });
  return { ...node, entries };
}
