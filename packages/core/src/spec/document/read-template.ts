import type { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { checkTemplatePaths, parseTemplate, type Template } from "../text/template.ts";
import type { Shape } from "../text/shape.ts";
import { atOffset } from "./offset-position.ts";
import { readText } from "./read-scalar.ts";
import { refuseSecret } from "./read-secret.ts";

/** Reads a template and checks what it reads against a shape; undefined when an error was reported. */
export function readTemplate(
  node: SpecNode,
  shape: Shape,
  diagnostics: Diagnostics,
): Template | undefined {
  if (refuseSecret(node, diagnostics)) return undefined;
  const text = readText(node, diagnostics);
  if (text === undefined || node.kind !== "scalar") return undefined;
  const parsed = parseTemplate(unescaped(text));
  if (!parsed.ok) {
    const { message, suggestion, offset } = parsed;
    diagnostics.error("LW-TEMPLATE-SYNTAX", atOffset(node, offset), message, suggestion);
    return undefined;
  }
  const findings = checkTemplatePaths(parsed.template, shape);
  for (const { code, path, offset, message, suggestion } of findings)
    diagnostics.error(code, atOffset(node, offset, path.length), message, suggestion);
  return findings.length === 0 ? parsed.template : undefined;
}

// What a substitution left as `$${…}` is literal text, and templates are resolved no further.
function unescaped(text: string): string {
  return text.replaceAll(/\$(?=\$\{(?:secret:|run:))/g, "");
}
