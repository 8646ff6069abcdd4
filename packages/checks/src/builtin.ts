import type { PluginPackage } from "@loopwright/core/plugin";

/** The built-in checks. */
export const checks: PluginPackage = {
  name: "@loopwright/checks",
  entries: [
    {
      kind: "check",
      id: "arithmetic",
      load: async () => (await import("./arithmetic.ts")).arithmetic,
    },
    {
      kind: "check",
      id: "constraints",
      load: async () => (await import("./constraints.ts")).constraints,
    },
    { kind: "check", id: "evidence", load: async () => (await import("./evidence.ts")).evidence },
    { kind: "check", id: "rule", load: async () => (await import("./rule.ts")).rule },
    { kind: "check", id: "schema", load: async () => (await import("./schema.ts")).schema },
  ],
};
