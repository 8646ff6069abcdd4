import { COMPILING } from "./compiling-options.ts";

/** `loopwright diff --help`. */
export const DIFF: string = `usage: loopwright diff SPEC SPEC [options]
       loopwright diff SPEC --overlay NAME [options]

Says what differs in what two specs do and in their worst case, one line for
each thing: comments, quotes and the order of keys are no difference. With one
SPEC: what the overlay changes in it.

${COMPILING}  --overlay NAME          lay an overlay over each spec; with one SPEC, over
                          the second side alone (repeatable)
  --json                  as one JSON object

examples
  loopwright diff order-desk.yaml order-desk-2.yaml
  loopwright diff order-desk.yaml --overlay prod

exit: 0 no difference in what runs, 1 a difference, 4 a spec has errors
`;
