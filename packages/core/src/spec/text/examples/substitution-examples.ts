import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-SUBST`. */
export const substitutionExamples: Readonly<Record<CodesOf<"LW-SUBST">, DiagnosticExample>> = {
  "LW-SUBST-SYNTAX": {
    why: "A `${` that is never closed, or names nothing, would reach the model as it stands.",
    wrong: "description: The desk in ${env:CITY",
    right: "description: The desk in ${env:CITY}",
  },
  "LW-SUBST-UNKNOWN": {
    why: "There are `${env:…}`, `${file:…}`, `${secret:…}` and `${run:id}`. A literal `${` is written `$${`.",
    wrong: "description: The desk in ${environment:CITY}",
    right: "description: The desk in ${env:CITY}",
  },
  "LW-SUBST-UNSET": {
    why: "A variable that is not set would leave a hole in the spec. Set it, or say what holds without it.",
    wrong: "description: The desk in ${env:DESK_CITY}",
    right: "description: The desk in ${env:DESK_CITY:-Oslo}",
  },
  "LW-SUBST-SECRET-PLACE": {
    why: "Secrets go only where a plugin says that it keeps them: anywhere else they would reach prompts, logs or files.",
    wrong: "instructions: The key is ${secret:DESK_KEY}.",
    right: 'model: { use: openai/gpt-5, apiKey: "${secret:DESK_KEY}" }',
  },
};
