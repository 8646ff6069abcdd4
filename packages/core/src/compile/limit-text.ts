import type { Limits } from "../program/program.ts";
import { durationText } from "../spec/text/duration-text.ts";

/** An amount of a limit as a spec writes it: `60`, `2m`, `0.5`. */
export function amountOf(field: keyof Limits, value: number): string {
  return field === "timeMs" || field === "workTimeMs" ? durationText(value) : String(value);
}
