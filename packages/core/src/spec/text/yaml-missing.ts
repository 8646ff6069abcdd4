import { isScalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { YamlFinding } from "./yaml-finding.ts";
import { rangeOf } from "./yaml-nodes.ts";

/** Whether nothing is written, or null. */
export function isMissing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

/** The finding of a list item that holds nothing. */
export function missingItem(item: unknown, list: YAMLSeq): YamlFinding {
  const [start, end] = rangeOf(item ?? list);
  return {
    code: "LW-YAML-NULL",
    start,
    end,
    message: "this list item is empty; specs know no null",
    suggestion: "write the value, or delete the dash",
  };
}

/** The finding of a key without a value, seen with the key below it, which may have been meant as its value. */
export function missingValue(map: YAMLMap, index: number, key: string): YamlFinding {
  const pair = map.items[index];
  const [start, end] = rangeOf(pair?.key);
  const isWritten = isScalar(pair?.value) && pair.value.source !== "";
  const next = map.items[index + 1]?.key;
  const sibling =
    map.flow !== true && !isWritten && isScalar(next) ? String(next.value) : undefined;
  const message = `\`${key}\` has no value; specs know no null`;
  if (sibling !== undefined && index === 0 && map.items.length > 1) {
    return {
      code: "LW-YAML-NULL",
      start,
      end,
      message,
      suggestion: `if \`${sibling}\` belongs to \`${key}\`, indent it by 2 more`,
      notes: [`\`${sibling}\` stands beside \`${key}\`, not inside it`],
    };
  }
  const apart = /^([A-Za-z][\w-]*)(:| )(\S+)$/.exec(key);
  if (!isWritten && apart !== null) {
    const [, name = "", mark = "", value = ""] = apart;
    const lacks = mark === ":" ? "a space behind its colon" : "a colon behind its key";
    return {
      code: "LW-YAML-NULL",
      start,
      end,
      message: `\`${key}\` lacks ${lacks}, so YAML reads it as one word`,
      suggestion: `write \`${name}: ${value}\``,
    };
  }
  if (!isWritten && map.flow === true) {
    const before = map.items[index - 1];
    const said = isScalar(before?.value) ? (before.value.source ?? "") : "";
    const whole =
      said === "" ? "" : `; if the comma belongs to the text before it, write "${said}, ${key}"`;
    return {
      code: "LW-YAML-NULL",
      start,
      end,
      message,
      suggestion: `write \`${key}: ...\`${whole}`,
    };
  }
  const suggestion = `give \`${key}\` a value or delete the line; empty text is "", an empty map {}, an empty list []`;
  return { code: "LW-YAML-NULL", start, end, message, suggestion };
}
