import type { DiagnosticCode } from "./diagnostic-codes.ts";
import { didYouMean } from "./suggest.ts";

/** One piece of a text with substitutions. */
export type SubstitutionPart =
  | { readonly kind: "text"; readonly text: string }
  /** A `$${`: a literal `${`. */
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "env";
      readonly name: string;
      readonly fallback?: string;
      readonly source: string;
    }
  | { readonly kind: "file"; readonly path: string; readonly source: string }
  | { readonly kind: "secret"; readonly name: string; readonly source: string }
  | { readonly kind: "run"; readonly source: string }
  | {
      readonly kind: "fault";
      readonly code: DiagnosticCode;
      readonly message: string;
      readonly suggestion?: string;
      readonly source: string;
    };

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Splits a text at its `${…}` in linear time; malformed ones become faults. */
export function parseSubstitutions(text: string): readonly SubstitutionPart[] {
  const parts: SubstitutionPart[] = [];
  let position = 0;
  for (;;) {
    const start = text.indexOf("${", position);
    if (start === -1) break;
    if (start > position && text[start - 1] === "$") {
      addText(parts, text.slice(position, start - 1));
      const end = literalEnd(text, start);
      parts.push({ kind: "literal", text: text.slice(start, end) });
      position = end;
      continue;
    }
    addText(parts, text.slice(position, start));
    const close = text.indexOf("}", start);
    if (close === -1) {
      const message = "`${` is never closed";
      parts.push({
        kind: "fault",
        code: "LW-SUBST-SYNTAX",
        message,
        suggestion: "write the `}`, or `$${` for a literal `${`",
        source: text.slice(start),
      });
      return parts;
    }
    parts.push(readReference(text.slice(start, close + 1)));
    position = close + 1;
  }
  addText(parts, text.slice(position));
  return parts;
}

/** Escapes what looks like a live `${secret:…}` or `${run:…}` in a text that was put in, so that it is never resolved. */
export function escapeLive(text: string): string {
  return text.replaceAll(/\$\{(?=secret:[A-Za-z_][A-Za-z0-9_]*\}|run:id\})/g, "$$$${");
}

/** Counts the live `${secret:…}` and `${run:id}` of a text. */
export function countLive(text: string): number {
  const found = text.matchAll(/(\$?)\$\{(?:secret:[A-Za-z_][A-Za-z0-9_]*|run:id)\}/g);
  return [...found].filter((match) => match[1] === "").length;
}

/**
 * Replaces every `${secret:N}` by the variable N and unescapes literal ones; `missing` lists the names that are not set, which become empty.
 * Call it last, after `resolveRunId`: a secret is never scanned again.
 */
export function resolveSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): {
  readonly text: string;
  readonly secrets: readonly string[];
  readonly missing: readonly string[];
} {
  const secrets = new Set<string>();
  const missing = new Set<string>();
  const resolved = text.replaceAll(
    /(\$?)\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (match, escape: string, name: string) => {
      if (escape !== "") return match.slice(1);
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value === undefined || value === "") missing.add(name);
      else secrets.add(value);
      return value ?? "";
    },
  );
  return { text: resolved, secrets: [...secrets], missing: [...missing] };
}

/** Replaces every `${run:id}` by the id of the run and unescapes literal ones. */
export function resolveRunId(text: string, id: string): string {
  return text.replaceAll(/(\$?)\$\{run:id\}/g, (match, escape: string) =>
    escape === "" ? id : match.slice(1),
  );
}

function literalEnd(text: string, start: number): number {
  const match = /^\$\{(?:secret:[A-Za-z_][A-Za-z0-9_]*|run:id)\}/.exec(
    text.slice(start, start + 300),
  );
  return start + (match?.[0].length ?? 2);
}

function addText(parts: SubstitutionPart[], text: string): void {
  if (text !== "") parts.push({ kind: "text", text });
}

function readReference(source: string): SubstitutionPart {
  const inside = source.slice(2, -1);
  const colon = inside.indexOf(":");
  const kind = colon === -1 ? inside : inside.slice(0, colon);
  const rest = colon === -1 ? "" : inside.slice(colon + 1);
  switch (kind) {
    case "env":
      return readEnv(rest, source);
    case "file":
      return rest.trim() === ""
        ? fault("LW-SUBST-SYNTAX", source, `\`${source}\` names no file`, "write ${file:PATH}")
        : { kind: "file", path: rest.trim(), source };
    case "secret":
      if (variableName.test(rest)) return { kind: "secret", name: rest, source };
      return fault(
        "LW-SUBST-SYNTAX",
        source,
        `\`${source}\` names no variable`,
        "write ${secret:NAME}; a secret has no default",
      );
    case "run":
      return rest === "id"
        ? { kind: "run", source }
        : fault(
            "LW-SUBST-UNKNOWN",
            source,
            `\`${source}\`: a run is known by its id only`,
            "write ${run:id}",
          );
    default:
      return fault(
        "LW-SUBST-UNKNOWN",
        source,
        `\`${source}\` is no substitution`,
        repairUnknown(inside, kind, colon),
      );
  }
}

function readEnv(rest: string, source: string): SubstitutionPart {
  const split = rest.indexOf(":-");
  const name = split === -1 ? rest : rest.slice(0, split);
  if (!variableName.test(name))
    return fault(
      "LW-SUBST-SYNTAX",
      source,
      `\`${source}\` names no variable`,
      "write ${env:NAME} or ${env:NAME:-default}",
    );
  return split === -1
    ? { kind: "env", name, source }
    : { kind: "env", name, fallback: rest.slice(split + 2), source };
}

function repairUnknown(inside: string, kind: string, colon: number): string {
  if (variableName.test(inside))
    return `write \${env:${inside}}, or $\${${inside}} for the literal text`;
  const near = colon === -1 ? undefined : didYouMean(kind, ["env", "file", "secret", "run"]);
  return near ?? "write env, file, secret or run before the colon, or `$${` for a literal `${`";
}

function fault(
  code: DiagnosticCode,
  source: string,
  message: string,
  suggestion?: string,
): SubstitutionPart {
  return {
    kind: "fault",
    code,
    message,
    source,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
