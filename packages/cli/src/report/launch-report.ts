import { launchChecks, type LaunchCheck } from "@loopwright/core";
import { placeText } from "../diagnostic-text.ts";
import { neutralize, neutralizeName } from "../neutralize.ts";
import type { CheckedSpec } from "./checked-spec.ts";

/** The launch checks of one spec, a line each. */
export function launchReport({ spec, root, result }: CheckedSpec): {
  readonly text: string;
  readonly isReady: boolean;
} {
  const { program, index } = result;
  if (program === undefined) {
    const hasErrors = result.diagnostics.some(({ severity }) => severity === "error");
    const why = hasErrors ? "mend the errors first" : "a fragment can't run";
    const text = `${neutralizeName(spec)}: not ready to launch: ${why}\n`;
    return { text, isReady: false };
  }
  const checks = launchChecks(program, index.root);
  const passed = checks.filter(({ isPassed }) => isPassed).length;
  const isReady = passed === checks.length;
  const verdict = isReady ? "ready to launch" : "not ready to launch";
  const lines = checks.map((check) => `${lineOf(check, root)}\n`).join("");
  return {
    text: `${neutralizeName(spec)}: ${verdict}, ${passed} of ${checks.length}\n${lines}`,
    isReady,
  };
}

function lineOf({ title, isPassed, text, at }: LaunchCheck, root: string): string {
  const verdict = isPassed ? "pass" : "fail";
  return neutralize(`  ${verdict}  ${placeText(at, root)}  ${title}: ${text}`);
}
