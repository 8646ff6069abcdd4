const HEAD = `apiVersion: loopwright/v1
name: long
task: Add what is asked for.
inputs: { city: string, days: integer }
model: { use: ollama/small, temperature: 0 }
models:
  judge: { use: ollama/big, temperature: 0 }
strategy:
`;

/** A sound spec of so many lines: stages of several kinds, nested, with guards and templates. */
export function longSpec(lines: number): string {
  const parts = [HEAD];
  let count = HEAD.split("\n").length - 1;
  for (let round = 0; count + 14 <= lines; round += 1, count += 14) parts.push(roundOf(round));
  const rest = Math.max(0, lines - count - 1);
  return `${parts.join("")}${"# the end\n".repeat(rest)}output: { fields: { sum: number } }\n`;
}

function roundOf(round: number): string {
  return `  - loop:
      id: round-${round}
      maxRounds: 2
      until: verdict.passed && answer.value.sum > ${round}
      do:
        - plan-and-solve:
            id: work-${round}
            maxPlanSteps: 4
            instructions: "Look at {{ inputs.city }} for {{ inputs.days }} days."
        - verify:
            id: check-${round}
            when: answer.value.sum >= 0
            model: judge
            revise: { refine: { id: mend-${round}, when: '!verdict.passed' } }
`;
}
