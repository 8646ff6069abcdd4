import type { Repair } from "./structured-result.ts";

/** Collects the repairs of one coercion; a trial has notes of its own. */
export class CoercionNotes {
  readonly list: Repair[] = [];

  add(rule: string, path: string, from: unknown, to: unknown): void {
    this.list.push({
      rule,
      ...(path === "" ? {} : { path }),
      note: `${short(from)} → ${short(to)}`,
    });
  }
}

function short(value: unknown): string {
  const text =
    typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? "nothing");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The path of a member or item below a path. */
export function below(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  return path === "" ? step : `${path}.${step}`;
}
