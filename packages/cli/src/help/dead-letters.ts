import { COMPILING } from "./compiling-options.ts";

/** `loopwright dead-letters --help`. */
export const DEAD_LETTERS: string = `usage: loopwright dead-letters list FILE
       loopwright dead-letters show ID FILE
       loopwright dead-letters retry (ID… | --all) FILE

The runs that gave no valid answer, with all that is needed to see why and to
run them again. FILE is a file of dead letters, or a spec whose output names
one. ID may be the first letters of one.

\`retry\` runs the original input again, with the spec as it is. A letter whose
run gives a value is resolved, and a row of a batch gets its line in the batch's
output. A run that fails again leaves its own letter in the place of the old.

  --all                   every open letter
  --parallel N            runs at a time (default: 4)
${COMPILING}  --overlay NAME          lay one of the spec's overlays over it (repeatable)
  --json                  as one JSON object

examples
  loopwright dead-letters list failed.jsonl
  loopwright dead-letters show 3f2a failed.jsonl
  loopwright dead-letters retry --all failed.jsonl --overlay strong

exit: 0 done, 1 a run gave no value again or a line of FILE can't be read,
4 spec or file wrong
`;
