/** Prints measured figures of a replay in the output of the tests, one line each. */
export function printFigures(title: string, lines: readonly string[]): void {
  console.log([title, ...lines.map((line) => `  ${line}`)].join("\n"));
}

/** A share in per cent with one decimal. */
export function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
