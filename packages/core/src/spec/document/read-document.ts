import type { Diagnostics } from "../text/diagnostic.ts";
import { entry, type MapNode, type SpecNode } from "../text/spec-node.ts";
import { isLaterVersion } from "../text/later-version.ts";
import { didYouMean } from "../text/suggest.ts";
import { isKebabCase, kebabCase } from "./kebab-case.ts";
import { labelOf, shownValue } from "./node-text.ts";
import { readBoolean, readText } from "./read-scalar.ts";
import { refuseSecret } from "./read-secret.ts";
import { specKeys } from "./spec-schemas.ts";

/** The current version of the spec language. */
const apiVersion: string = "loopwright/v1";

/** What a spec says about itself, and its sections as nodes. */
export interface SpecDocument {
  readonly root: MapNode;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly dryRun: boolean;
  /** The value of a section, or undefined. */
  section(key: string): SpecNode | undefined;
}

/** Reads the outermost keys of a spec; undefined where it is no map at all. */
export function readDocument(node: SpecNode, diagnostics: Diagnostics): SpecDocument | undefined {
  if (node.kind !== "map") {
    diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      node,
      `a spec is a map, not ${shownValue(node)}`,
      `begin with \`apiVersion: ${apiVersion}\``,
    );
    return undefined;
  }
  reportKeys(node, diagnostics);
  readApiVersion(node, diagnostics);
  const said = (key: string): string => {
    const value = entry(node, key);
    if (value === undefined || refuseSecret(value, diagnostics)) return "";
    return readText(value, diagnostics) ?? "";
  };
  const dryRun = entry(node, "dryRun");
  if (isLeftOut(node, "strategy")) {
    diagnostics.warn(
      "LW-SPEC-FRAGMENT",
      node,
      "without a `strategy` the file is a fragment: it checks as such and can be extended, but it cannot run",
      "add `strategy: direct`, or a list of stages",
    );
  }
  return {
    root: node,
    name: readName(node, diagnostics),
    version: said("version"),
    description: said("description"),
    dryRun: dryRun === undefined ? false : (readBoolean(dryRun, diagnostics) ?? false),
    section: (key) => entry(node, key),
  };
}

function reportKeys(node: MapNode, diagnostics: Diagnostics): void {
  for (const [key, { key: at }] of node.entries) {
    if (specKeys.includes(key)) continue;
    const repair = didYouMean(key, specKeys) ?? `known: ${specKeys.join(", ")}`;
    diagnostics.error("LW-SPEC-UNKNOWN-KEY", at, `a spec has no \`${key}\``, repair);
  }
}

/** Whether a key is missing, and no unknown key was meant to be it: that one is told with its repair. */
function isLeftOut(node: MapNode, wanted: string): boolean {
  if (node.entries.has(wanted)) return false;
  return [...node.entries.keys()].every(
    (key) =>
      specKeys.includes(key) || didYouMean(key, specKeys)?.includes(`\`${wanted}\``) !== true,
  );
}

function readApiVersion(node: MapNode, diagnostics: Diagnostics): void {
  const said = entry(node, "apiVersion");
  const repair = `write \`apiVersion: ${apiVersion}\``;
  if (said === undefined) {
    if (isLeftOut(node, "apiVersion"))
      diagnostics.error("LW-SPEC-API-VERSION", node, "`apiVersion` is missing", repair);
  } else if (said.kind !== "scalar" || said.value !== apiVersion) {
    const isLater = said.kind === "scalar" && isLaterVersion(said.text, apiVersion);
    diagnostics.error(
      "LW-SPEC-API-VERSION",
      said,
      `${shownValue(said)} is not known here; this version reads \`${apiVersion}\``,
      isLater ? `it needs a newer loopwright; for this one, ${repair}` : repair,
    );
  }
}

function readName(node: MapNode, diagnostics: Diagnostics): string {
  const said = entry(node, "name");
  if (said === undefined) {
    if (isLeftOut(node, "name"))
      diagnostics.error(
        "LW-SPEC-MISSING-KEY",
        node,
        "a spec needs `name`",
        "write `name: my-agent`",
      );
    return "";
  }
  const name = refuseSecret(said, diagnostics) ? undefined : readText(said, diagnostics);
  if (name === undefined || isKebabCase(name)) return name ?? "";
  const kebab = kebabCase(name);
  diagnostics.error(
    "LW-VALUE-ID",
    said,
    `\`${labelOf(said)}\` is kebab-case; \`${name}\` is not`,
    kebab === undefined ? "write small letters, digits and dashes" : `write \`name: ${kebab}\``,
  );
  return name;
}
