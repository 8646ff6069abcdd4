import { describe, it } from "vitest";

/** One promise of a contract, as data; `run` throws where the plugin does not keep it. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** Registers cases as tests under one title. */
export function describeCases(title: string, cases: readonly ConformanceCase[]): void {
  describe.each([title])("%s", () => {
    it.each(cases)("$name", ({ run }) => run());
  });
}

/** Runs cases outside a suite and names those that a plugin does not keep. */
export async function failuresOf(cases: readonly ConformanceCase[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    try {
      await run();
    } catch {
      failed.push(name);
    }
  }
  return failed;
}
