import { SpecError } from "../errors/loopwright-error.ts";
import type { NotYet, Program } from "../program/program.ts";

/** Throws for a program that needs parts of the language which this version can't run; those of its agents too. */
export function refuseNotYet(program: Program): void {
  const needed = partsOf(program);
  if (needed.length === 0) return;
  const lines = needed.map(({ what, position: { file, line, column } }) => {
    return `  ${file}:${line}:${column}  ${what}`;
  });
  throw new SpecError(
    "not-yet",
    `\`${program.name}\` uses what this version can check but not run:\n${[...new Set(lines)].join("\n")}\nLeave it out, or wait for a version that runs it; nothing was started.`,
    { details: { notYet: needed.map(({ what, position }) => ({ what, ...position })) } },
  );
}

function partsOf({ notYet = [], agents }: Program): readonly NotYet[] {
  return [...notYet, ...[...(agents?.values() ?? [])].flatMap(partsOf)];
}
