import { readText } from "../spec/document/read-scalar.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { type MapEntry, nodeFromJson, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { CompileContext } from "./compile-context.ts";

/** A model as the spec says it, with `extends` followed: the provider and name, and everything else. */
export interface ModelForm {
  /** `provider/name`. */
  readonly use: { readonly text: string; readonly at: SpecNode };
  readonly entries: ReadonlyMap<string, MapEntry>;
  /** The role that says it; empty for an inline model. */
  readonly role: string;
  readonly at: SpecNode;
}

/** The models of a spec by role; `default` is the spec's own. */
export interface Roles {
  readonly nodes: ReadonlyMap<string, SpecNode>;
  /** Circles that were reported, so that each is told once. */
  readonly toldCircles: Set<string>;
}

/** Collects the roles of a spec, with what the command sets over them. */
export function collectRoles(
  model: SpecNode | undefined,
  models: SpecNode | undefined,
  context: CompileContext,
): Roles {
  const { diagnostics, settings } = context;
  const roles = new Map<string, SpecNode>();
  if (model !== undefined) roles.set("default", model);
  if (models !== undefined && models.kind !== "map") {
    const message = `\`models\` is a map of roles, not ${shownValue(models)}`;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", models, message, "write { ROLE: provider/name }");
  }
  for (const [name, { key, value }] of models?.kind === "map" ? models.entries : []) {
    if (name === "default" && model !== undefined) {
      const message = "`models.default` and `model` both say the default model";
      diagnostics.error(
        "LW-SPEC-EXCLUSIVE-KEYS",
        key,
        message,
        "delete `default` here, or `model`",
      );
    } else if (name === "none" || name.includes("/")) {
      diagnostics.error(
        "LW-MODEL-FORM",
        key,
        `\`${name}\` cannot name a role`,
        `write \`my-${name.toLowerCase()}:\``,
      );
    } else {
      context.record.use("role", name, key, true);
      roles.set(name, value);
    }
  }
  for (const { match, model: text, options } of settings.models ?? []) {
    const at = { file: "--model", line: 1, column: 1 };
    const node = nodeFromJson({ ...options, use: text }, at, match);
    const known = [...roles.keys(), "default", "*"];
    if (known.includes(match)) roles.set(match, node);
    else
      diagnostics.error(
        "LW-MODEL-UNKNOWN-ROLE",
        node,
        `no role is called \`${match}\``,
        didYouMean(match, known) ?? `roles here: ${[...new Set(known)].join(", ")}`,
      );
  }
  return { nodes: roles, toldCircles: new Set() };
}

/** Reads a model as written, following roles and `extends`; `trail` holds the roles on the way, `role` is the one whose model this is. */
export function readModelForm(
  node: SpecNode,
  roles: Roles,
  context: CompileContext,
  trail: readonly string[] = [],
  role: string = "",
): ModelForm | "none" | undefined {
  const { diagnostics } = context;
  if (node.kind === "scalar") {
    const text = readText(node, diagnostics);
    if (text === undefined) return undefined;
    if (text === "none") return "none";
    if (!text.includes("/")) return readRole(text, node, roles, context, trail);
    return { use: { text, at: node }, entries: new Map(), role, at: node };
  }
  if (node.kind === "list") {
    diagnostics.error(
      "LW-MODEL-FORM",
      node,
      "a model is provider/name, a role, none, or a map with `use`; it is a list",
      "list further models under `fallback`",
    );
    return undefined;
  }
  return readMapForm(node, roles, context, trail, role);
}

function readMapForm(
  node: Extract<SpecNode, { kind: "map" }>,
  roles: Roles,
  context: CompileContext,
  trail: readonly string[],
  role: string,
): ModelForm | undefined {
  const { diagnostics } = context;
  const use = node.entries.get("use");
  const parent = node.entries.get("extends");
  if (use !== undefined && parent !== undefined) {
    diagnostics.error(
      "LW-SPEC-EXCLUSIVE-KEYS",
      parent.key,
      "a model has `use` or `extends`, not both",
      "delete `use` or `extends`",
    );
    return undefined;
  }
  if (use !== undefined) {
    const text = readText(use.value, diagnostics);
    return text === undefined
      ? undefined
      : { use: { text, at: use.value }, entries: node.entries, role, at: node };
  }
  if (parent === undefined) {
    diagnostics.error(
      "LW-MODEL-FORM",
      node,
      "a model needs `use` or `extends`",
      "add `use: provider/name`, or `extends: ROLE`",
    );
    return undefined;
  }
  const name = readText(parent.value, diagnostics);
  const base = name === undefined ? undefined : readRole(name, parent.value, roles, context, trail);
  if (base === undefined) return undefined;
  if (base === "none") {
    diagnostics.error(
      "LW-MODEL-FORM",
      parent.value,
      `\`${name ?? ""}\` is no model; nothing can extend it`,
      "extend a role that names a model, or write `use: provider/name`",
    );
    return undefined;
  }
  return { ...base, entries: new Map([...base.entries, ...node.entries]), role, at: node };
}

function readRole(
  name: string,
  at: SpecNode,
  roles: Roles,
  context: CompileContext,
  trail: readonly string[],
): ModelForm | "none" | undefined {
  const { diagnostics } = context;
  if (trail.includes(name)) {
    const circle = trail.slice(trail.indexOf(name));
    const isTold = roles.toldCircles.has(circle.toSorted().join(" "));
    roles.toldCircles.add(circle.toSorted().join(" "));
    const way = [...circle, name].join(" → ");
    if (!isTold)
      diagnostics.error(
        "LW-MODEL-CYCLE",
        at,
        `the role \`${name}\` leads back to itself: ${way}`,
        `take \`${name}\` out here, or write provider/name instead`,
      );
    return undefined;
  }
  const node = roles.nodes.get(name);
  if (node !== undefined) context.record.use("role", name, at);
  if (node !== undefined) return readModelForm(node, roles, context, [...trail, name], name);
  const known = [...roles.nodes.keys()].filter((role) => role !== "*");
  const listed =
    known.length === 0
      ? "this spec has no `model` and no `models`"
      : `roles here: ${[...new Set(known)].join(", ")}`;
  const message =
    name === "default"
      ? "there is no default model: this spec has no `model`"
      : `no role is called \`${name}\`, and a model is written provider/name`;
  const near = didYouMean(name, known);
  const written = name === "default" ? "" : `write \`PROVIDER/${name}\`; `;
  diagnostics.error("LW-MODEL-UNKNOWN-ROLE", at, message, near ?? `${written}${listed}`);
  return undefined;
}
