import { COMPILING } from "./compiling-options.ts";

/** `loopwright diff --help`. */
export const DIFF: string = `usage: loopwright diff SPEC[@OVERLAY] SPEC[@OVERLAY] [options]
       loopwright diff SPEC --overlay NAME [options]

Says what differs in what two specs do and in their worst case, one line for
each thing: comments, quotes and the order of keys are no difference. SPEC@NAME
is a spec with an overlay of its own, SPEC@ONE@TWO with two, in this order. With
one SPEC: what the overlay changes in it. Paths are told from the project root.

${COMPILING}  --overlay NAME          lay an overlay over each spec, below those of @; with
                          one SPEC, over the second side alone (repeatable)
  --json                  as one JSON object

examples
  loopwright diff order-desk.yaml order-desk-2.yaml
  loopwright diff order-desk.yaml --overlay prod
  loopwright diff order-desk.yaml@staging order-desk.yaml@prod

exit: 0 no difference in what runs, 1 a difference, 4 a spec has errors
`;
