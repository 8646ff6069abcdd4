import type { PluginEntry, PluginKind } from "../contracts/plugin-definition.ts";

type Field = "function" | "object" | "string";

/** What core calls or reads of each kind, beside `kind` and `id`. */
const needed: Readonly<Record<PluginKind, Readonly<Record<string, readonly Field[]>>>> = {
  strategy: {
    options: ["object"],
    slots: ["object"],
    voices: ["object"],
    flow: ["function"],
    bounds: ["function"],
    run: ["function"],
  },
  provider: { options: ["object"], create: ["function"] },
  tool: {
    description: ["string"],
    options: ["object"],
    input: ["object", "function"],
    create: ["function"],
  },
  check: { options: ["object"], run: ["function"] },
  sink: { options: ["object"], overflow: ["object"], create: ["function"] },
  memory: { options: ["object"], create: ["function"] },
  service: { token: ["object"], create: ["function"] },
};

const effects: ReadonlySet<unknown> = new Set(["read", "idempotent", "once"]);

/** Says how a loaded definition breaks the plugin contract, or nothing where it keeps it. */
export function definitionFault(definition: unknown, entry: PluginEntry): string | undefined {
  const said = (definition ?? {}) as Readonly<Record<string, unknown>>;
  const { kind, id } = said;
  if (kind !== entry.kind || id !== entry.id) {
    const found =
      typeof kind === "string" ? `the ${kind} \`${String(id)}\`` : "nothing of the kind";
    return `its manifest promises the ${entry.kind} \`${entry.id}\`, its code defines ${found}`;
  }
  for (const [field, types] of Object.entries(needed[entry.kind])) {
    const type = typeof said[field];
    if (said[field] === null || !types.includes(type as Field)) {
      return `the ${entry.kind} \`${entry.id}\` has no \`${field}\` (${types.join(" or ")}); declare it with ${defineOf(entry.kind)}`;
    }
  }
  if (entry.kind === "tool" && !effects.has(said["effect"])) {
    return `the tool \`${entry.id}\` says the effect \`${String(said["effect"])}\`; it is one of ${[...effects].join(", ")}`;
  }
  return undefined;
}

function defineOf(kind: PluginKind): string {
  return `define${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
}
