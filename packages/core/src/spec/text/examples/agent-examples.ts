import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-AGENT`. */
export const agentExamples: Readonly<Record<CodesOf<"LW-AGENT">, DiagnosticExample>> = {
  "LW-AGENT-SPEC": {
    why: "An inner agent is a spec of its own and has to pass its own check first.",
    wrong: `# faulty.yaml has an error
strategy:
  agent: { spec: faulty.yaml }`,
    right: `strategy:
  agent: { spec: inner.yaml }`,
  },
  "LW-AGENT-INPUT": {
    why: "An inner agent gets the inputs that its spec declares: all that have no default, and no others.",
    wrong: `# reader.yaml says \`inputs: { page: string }\`
strategy:
  agent: { spec: reader.yaml, inputs: { pge: one } }`,
    right: `# reader.yaml says \`inputs: { page: string }\`
strategy:
  agent: { spec: reader.yaml, inputs: { page: one } }`,
  },
  "LW-AGENT-CYCLE": {
    why: "An agent that contains itself, also by way of others, would never end.",
    wrong: `# circle.yaml has an agent with the spec example.yaml
strategy:
  agent: { spec: circle.yaml }`,
    right: `strategy:
  agent: { spec: inner.yaml }`,
  },
};
