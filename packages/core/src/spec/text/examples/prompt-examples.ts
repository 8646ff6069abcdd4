import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-PROMPT`. */
export const promptExamples: Readonly<Record<CodesOf<"LW-PROMPT">, DiagnosticExample>> = {
  "LW-PROMPT-EXAMPLE-LEAK": {
    why: "An example that holds the task itself tells the model the answer, and shows nothing about the next task.",
    wrong: `task: Is 2027 a prime number?
strategy:
  direct:
    examples: [{ task: Is 2027 a prime number?, answer: It is. }]`,
    right: `task: Is 2027 a prime number?
strategy:
  direct:
    examples: [{ task: Is 91 a prime number?, answer: "It is 7 times 13, so it is not." }]`,
  },
  "LW-PROMPT-TOO-LONG": {
    why: "Of a long list of rules a model forgets the middle. What must hold belongs into checks and policies.",
    wrong: `instructions: |
  Rule 1.
  Rule 2.
  Rule 3.
  Rule 4.
  Rule 5.
  Rule 6.
  Rule 7.
  Rule 8.
  Rule 9.
  Rule 10.
  Rule 11.
  Rule 12.
  Rule 13.
  Rule 14.
  Rule 15.
  Rule 16.
  Rule 17.
  Rule 18.
  Rule 19.
  Rule 20.
  Rule 21.`,
    right: `instructions: |
  Rule 1.
  Rule 2.`,
  },
  "LW-PROMPT-INPUT": {
    why: "Instructions are what a model obeys. An input is what somebody sends, and there it could give orders.",
    wrong: `inputs: { mail: string }
instructions: "Answer this mail: {{ inputs.mail }}"`,
    right: `inputs: { mail: string }
task: "Answer this mail: {{ inputs.mail }}"`,
  },
};
