import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";

// What a place says by itself: true whatever stands elsewhere.
const byItself: ReadonlySet<string> = new Set<DiagnosticCode>([
  "LW-VALUE-TYPE",
  "LW-VALUE-TEXT-EXPECTED",
  "LW-VALUE-NUMBER-EXPECTED",
  "LW-VALUE-BOOLEAN-EXPECTED",
  "LW-VALUE-LIST-EXPECTED",
  "LW-VALUE-MAP-EXPECTED",
  "LW-VALUE-DURATION",
  "LW-VALUE-COUNT",
  "LW-VALUE-RATE",
  "LW-VALUE-RANGE",
  "LW-VALUE-CHOICE",
  "LW-VALUE-ID",
  "LW-VALUE-FIELDS",
  "LW-VALUE-FIELD-TYPE",
  "LW-VALUE-FIELD-NAME",
  "LW-VALUE-FIELD-DEFAULT",
  "LW-VALUE-ENUM",
  "LW-VALUE-SCHEMA",
  "LW-VALUE-PATTERN",
  "LW-SUBST-SYNTAX",
  "LW-SUBST-UNKNOWN",
  "LW-SUBST-UNSET",
  "LW-TEMPLATE-SYNTAX",
  "LW-EXPR-SYNTAX",
  "LW-SPEC-NOT-YET",
  "LW-SPEC-UNKNOWN-KEY",
  "LW-SPEC-EXCLUSIVE-KEYS",
  "LW-STAGE-FORM",
  "LW-STAGE-MISPLACED-OPTION",
  "LW-STAGE-UNKNOWN-OPTION",
  "LW-STAGE-EMPTY",
  "LW-PLUGIN-AMBIGUOUS",
  "LW-PLUGIN-KIND",
  "LW-MODEL-UNKNOWN-VOICE",
  "LW-PROMPT-INPUT",
  "LW-TOOL-NO-MANUAL",
]);

// What also looks at the sections that declare what a place names.
const declaredIn: Readonly<Partial<Record<DiagnosticCode, readonly string[]>>> = {
  "LW-PLUGIN-UNKNOWN": ["strategies", "plugins"],
  "LW-PLUGIN-VERSION": ["plugins"],
  "LW-MODEL-FORM": ["model", "models"],
  "LW-MODEL-UNKNOWN-ROLE": ["model", "models"],
  "LW-MODEL-UNKNOWN-PROVIDER": ["models", "plugins"],
  "LW-TOOL-UNKNOWN": ["tools", "plugins"],
  "LW-TOOL-GLOB": ["tools", "plugins"],
  "LW-TOOL-FALLBACK": ["tools"],
  "LW-SPEC-ID-CLASH": ["strategies"],
  "LW-SPEC-MEMORY": ["memory"],
  "LW-SPEC-API-VERSION": ["apiVersion"],
};

/**
 * Tells whether a finding rests on parts of a spec that can't be read: it may then be no fault of the spec at all. `lost`
 * holds the outermost keys in which something is lost, `*` where that may be any.
 */
export function restsOnLost(code: string, lost: ReadonlySet<string>): boolean {
  if (lost.size === 0 || /^LW-(?:YAML|FILE)-/.test(code) || byItself.has(code)) return false;
  const sections = declaredIn[code as DiagnosticCode];
  return sections === undefined || lost.has("*") || sections.some((section) => lost.has(section));
}
