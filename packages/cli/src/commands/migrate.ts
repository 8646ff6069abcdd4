import { migrateSpec } from "@loopwright/core";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { rewriteSpecs } from "../rewrite-specs.ts";

/** Brings specs to the present apiVersion. */
export const migrate: CommandFunction = (given) => {
  if (given.positionals.length === 0)
    throw usageError("migrate needs a spec, like loopwright migrate agent.yaml");
  const isCheck = given.has("check");
  const code = rewriteSpecs(given.positionals, {
    rewrite: (text) => migrateSpec(text),
    isCheck,
    tell: (spec, { from, to, steps }) => {
      if (steps.length === 0) return `${spec}: already ${to}\n`;
      const head = `${spec}: ${from} ${isCheck ? "would become" : "became"} ${to}\n`;
      return head + steps.map((step) => `  ${step}\n`).join("");
    },
  });
  return Promise.resolve(code);
};
