import type { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { parseRate } from "../text/units.ts";
import { labelOf, shownValue, writeInstead } from "./node-text.ts";

/** A count for a time. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

/** Reads a rate like `10/1m`; undefined when an error was reported. */
export function readRate(node: SpecNode, diagnostics: Diagnostics): Rate | undefined {
  if (node.kind === "scalar" && node.isUnset === true) return undefined;
  const rate = node.kind === "scalar" ? parseRate(node.value) : undefined;
  if (rate !== undefined) return rate;
  const message = `\`${labelOf(node)}\` is a count for a time, not ${shownValue(node)}`;
  diagnostics.error("LW-VALUE-RATE", node, message, repairOf(node));
  return undefined;
}

function repairOf(node: SpecNode): string {
  const general = "write a count and a time, like 10/1m";
  if (node.kind !== "scalar") return general;
  const [count = "", time = ""] = String(node.value)
    .split(/\s*(?:\/|\bper\b)\s*/)
    .map((part) => part.trim());
  const times = [time, ...(/^\d+$/.test(time) ? [`${time}s`] : []), "1m"];
  const meant = times.map((one) => `${count}/${one}`).find((text) => parseRate(text) !== undefined);
  return meant === undefined ? general : writeInstead(node, meant);
}
