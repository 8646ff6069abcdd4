import { SpecError } from "../errors/loopwright-error.ts";
import type { Program } from "../program/program.ts";
import { nearestNames } from "../spec/text/suggest.ts";

/** Throws for the name of a switch that the spec does not have. */
export function requireSwitches({ switches }: Program, names: readonly string[] = []): void {
  const known = [...(switches?.keys() ?? [])];
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearestNames(name, known);
    const hint = near.length > 0 ? `did you mean ${near.join(" or ")}? ` : "";
    throw new SpecError(
      "switch-unknown",
      `the spec has no switch \`${name}\`; ${hint}switches here: ${known.join(", ") || "none"}`,
      { details: { switch: name, known } },
    );
  }
}
