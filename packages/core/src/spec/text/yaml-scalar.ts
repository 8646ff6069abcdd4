import type { Scalar } from "yaml";

/** The value of a YAML scalar, or why a spec does not take it. */
export type YamlScalar =
  | { readonly ok: true; readonly value: string | number | boolean }
  | { readonly ok: false; readonly message: string; readonly suggestion: string };

/** Reads a YAML scalar that is not null; hexadecimal, octal, infinite and inexact numbers are refused. */
export function readYamlScalar(node: Scalar): YamlScalar {
  const value = node.value;
  if (typeof value === "string" || typeof value === "boolean") return { ok: true, value };
  const source = node.source ?? String(value);
  const suggestion = `write it as a decimal number, or quote it if it is text: "${source}"`;
  if (typeof value !== "number")
    return { ok: false, message: `\`${source}\` is no value a spec can hold`, suggestion };
  if (/^[-+]?0[xo]/i.test(source))
    return { ok: false, message: `\`${source}\` would be read as the number ${value}`, suggestion };
  if (!Number.isFinite(value))
    return { ok: false, message: `\`${source}\` is not a finite number`, suggestion };
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(source)) {
    return {
      ok: false,
      message: `\`${source}\` is too large to be kept exactly`,
      suggestion: `quote it if it is text: "${source}"`,
    };
  }
  return { ok: true, value: Object.is(value, -0) ? 0 : value };
}
