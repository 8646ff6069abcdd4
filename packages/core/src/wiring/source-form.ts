import type { SpecSource } from "../compile/compile-spec.ts";
import { SpecError } from "../errors/loopwright-error.ts";

const KEYS: ReadonlySet<string> = new Set(["file", "text"]);

/** Returns a source as a host gave it; throws a SpecError for one of another form, since what it says besides would be lost. */
export function wellFormed(source: SpecSource): SpecSource {
  const form = "a source is `{ file }`, or `{ text, file? }`";
  if (typeof source !== "object" || source === null || !("file" in source || "text" in source))
    throw new SpecError("spec-invalid", `${form}; name the file of the spec, or give its text`);
  const other = Object.keys(source).find((key) => !KEYS.has(key));
  if (other === undefined) return source;
  throw new SpecError(
    "spec-invalid",
    `${form}; \`${other}\` is none of its keys: give options as the second argument, like compile({ file }, { ${other}: … })`,
  );
}
