import { shownValue } from "../spec/document/node-text.ts";
import { readChoice, readText } from "../spec/document/read-scalar.ts";
import { refuseSecret } from "../spec/document/read-secret.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";

/** Reads `glossary`: what each term of the domain means. */
export function compileGlossary(
  node: SpecNode | undefined,
  diagnostics: Diagnostics,
): ReadonlyMap<string, string> | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== "map") {
    const message = `\`glossary\` is a map of terms, not ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", node, message, "write { TERM: what it means }");
    return undefined;
  }
  const terms = new Map<string, string>();
  for (const [term, { key, value }] of node.entries) {
    const meaning = refuseSecret(value, diagnostics) ? undefined : readText(value, diagnostics);
    if (term.trim() === "")
      diagnostics.error("LW-VALUE-RANGE", key, "a term must not be empty", "name the term");
    else if (meaning?.trim() === "")
      diagnostics.error(
        "LW-VALUE-RANGE",
        value,
        `\`${term}\` needs a meaning`,
        "say what it means",
      );
    else if (meaning !== undefined) terms.set(term, meaning);
  }
  return terms;
}

/** Reads `language`, that of core's own prompts. */
export function compileLanguage(
  node: SpecNode | undefined,
  diagnostics: Diagnostics,
): "en" | "zh" | undefined {
  if (node === undefined) return undefined;
  const language = readChoice(node, ["en", "zh"], diagnostics);
  return language === "en" || language === "zh" ? language : undefined;
}
