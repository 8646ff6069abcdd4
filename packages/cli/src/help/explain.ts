import { COMPILING } from "./compiling-options.ts";

/** `loopwright explain --help`. */
export const EXPLAIN: string = `usage: loopwright explain SPEC [PATH] [options]

Shows the stages that a spec compiles to, their models, the tools with their
policies, and the worst case in calls and, where models have prices, in dollars.
With PATH: that value, who says it (a default, a file, an overlay, a variable,
--set), and what it replaced; also where the spec has errors, if it can be told.

${COMPILING}  --overlay NAME          lay one of the spec's overlays over it, and show
                          what that changes (repeatable)
  --mermaid               the stages as a Mermaid diagram
  --spec                  what was compiled, as YAML, defaults filled in
                          (to read: it is no spec file)
  --json                  as one JSON object

examples
  loopwright explain order-desk.yaml
  loopwright explain order-desk.yaml stages.react.maxSteps --overlay prod
  loopwright explain order-desk.yaml --spec --set stages.react.maxSteps=3
  loopwright explain order-desk.yaml --mermaid

exit: 0 told, 4 the spec has errors (with PATH its value may be printed all the
same, and their number on standard error) or has nothing at PATH
`;
