import { COMPILING } from "./compiling-options.ts";

/** `loopwright check --help`. */
export const CHECK: string = `usage: loopwright check SPEC… [options]        loopwright check --explain CODE

Says everything that is wrong with specs, with the place and the repair: of each
spec by itself, and with every overlay of its own. Needs no key and no network.

${COMPILING}  --overlay NAME          lay one of the spec's overlays over it (repeatable)
  --format FORMAT         text (a hundred at most), json (an object a line),
                          sarif, github
  --strict                a warning counts as an error
  --explain CODE          why a code matters, with a wrong and a right example
  --launch                whether an agent is ready to be let loose: six checks

examples
  loopwright check order-desk.yaml
  loopwright check specs/*.yaml --strict --format github
  loopwright check --explain LW-STAGE-MISPLACED-OPTION

exit: 0 no errors (there may be warnings), 4 errors; with --strict 4 for
warnings too; with --launch 4 where one of the six fails
`;
