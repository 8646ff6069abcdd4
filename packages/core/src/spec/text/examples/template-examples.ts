import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-TEMPLATE`. */
export const templateExamples: Readonly<Record<CodesOf<"LW-TEMPLATE">, DiagnosticExample>> = {
  "LW-TEMPLATE-SYNTAX": {
    why: "A template that is never closed would reach the model as it stands.",
    wrong: `inputs: { order: string }
task: Look up {{ inputs.order`,
    right: `inputs: { order: string }
task: Look up {{ inputs.order }}`,
  },
  "LW-TEMPLATE-PATH": {
    why: "A template can read the state and the inputs that are declared; anything else would always be empty.",
    wrong: `inputs: { order: string }
task: Look up {{ inputs.ordr }}`,
    right: `inputs: { order: string }
task: Look up {{ inputs.order }}`,
  },
  "LW-TEMPLATE-TYPE": {
    why: "A section repeats over the items of a list, and this is none.",
    wrong: `inputs: { order: string }
task: "{{# inputs.order }}{{ item }}{{/ inputs.order }}"`,
    right: `inputs: { orders: { type: array, items: string } }
task: "{{# inputs.orders }}{{ item }}{{/ inputs.orders }}"`,
  },
};
