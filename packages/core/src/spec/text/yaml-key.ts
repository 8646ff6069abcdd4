import type { Scalar } from "yaml";
import type { DiagnosticCode } from "./diagnostic-codes.ts";
import { isAscii, lookAlikeInKey, messageOfLookAlike } from "./look-alikes.ts";
import { styleOf } from "./yaml-nodes.ts";
import type { YamlFinding } from "./yaml-finding.ts";
import { invisibleCharacter, nameOfCharacter } from "./yaml-traps.ts";

/** Why a key can't be used; `offset` counts from where it begins. */
export interface KeyFault {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly suggestion?: string;
  readonly offset?: number;
}

/** The fault of a key that is no scalar. */
export const noKey: KeyFault = {
  code: "LW-YAML-KEY",
  message: "a key must be plain text",
  suggestion: "write the key as one word",
};

/** A key that the map has already, and the line of the first. */
export function duplicateKey(
  text: string,
  firstLine: number,
): Pick<YamlFinding, "code" | "message" | "suggestion" | "notes"> {
  return {
    code: "LW-YAML-DUPLICATE-KEY",
    message: `\`${text}\` is written twice; YAML would silently keep one of them`,
    suggestion: "delete one of them, or join what stands under them",
    notes: [`the first stands in line ${firstLine}`],
  };
}

/** The text of a key, as it is written where YAML reads a number or boolean. */
export function textOfKey(key: Scalar): string {
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

/** Finds what a spec does not allow in a key of the map at a path. */
export function faultOfKey(
  key: Scalar | undefined,
  text: string,
  path: string,
): KeyFault | undefined {
  if (key === undefined) return noKey;
  if (text === "<<") {
    const message = "merge keys (`<<`) are not allowed";
    return {
      code: "LW-YAML-MERGE-KEY",
      message,
      suggestion: "write the keys out, or use `extends`",
    };
  }
  if (text === "__proto__")
    return {
      code: "LW-YAML-RESERVED-KEY",
      message: "`__proto__` cannot be used as a key",
      suggestion: "choose another name",
    };
  if (isAscii(text)) return undefined;
  const hidden = invisibleCharacter.exec(text)?.[0];
  if (hidden !== undefined) {
    const message = `the key holds ${nameOfCharacter(hidden)}`;
    return { code: "LW-YAML-INVISIBLE", message, suggestion: "type the key anew" };
  }
  // Terms of a glossary are words of a field, in which scripts may mix.
  const alike = path === "glossary" ? undefined : lookAlikeInKey(text);
  if (alike === undefined) return undefined;
  return {
    code: "LW-YAML-LOOK-ALIKE",
    message: `in the key \`${text}\`, ${messageOfLookAlike(alike)}`,
    suggestion: `write \`${alike.meant}\``,
    offset: styleOf(key) === "plain" ? alike.offset : 0,
  };
}
