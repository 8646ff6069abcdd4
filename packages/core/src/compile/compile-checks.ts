import type { CheckReference } from "../contracts/schema.ts";
import { emptyMap } from "../spec/document/named-entries.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { type MapNode, positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import { resolvePlugin, type CompileContext } from "./compile-context.ts";
import type { CheckEntry } from "../program/program.ts";

/** The checks of a program, in the order in which the spec names them. */
export interface CheckList {
  /** Reads a list of checks; each becomes an entry. */
  read(node: SpecNode, options: OptionsContext): readonly CheckReference[];
  readonly entries: readonly CheckEntry[];
  /** Where each entry is said, by index. */
  readonly places: readonly SpecNode[];
}

/** Opens the list of a program's checks. */
export function openChecks(context: CompileContext): CheckList {
  const entries: CheckEntry[] = [];
  const places: SpecNode[] = [];
  return {
    entries,
    places,
    read: (node, options) => {
      if (node.kind !== "list") {
        const repair =
          node.kind === "scalar"
            ? `write \`${labelOf(node)}: [${node.text}]\``
            : "write a list: `- ...`";
        context.diagnostics.error(
          "LW-VALUE-LIST-EXPECTED",
          node,
          `\`${labelOf(node)}\` is a list of checks, not ${shownValue(node)}`,
          repair,
        );
        return [];
      }
      return node.items.flatMap((item) => {
        const entry = compileCheck(item, options, context);
        if (entry === undefined) return [];
        places.push(item);
        entries.push(entry);
        return [{ check: entry.definition.id, instance: entries.length - 1 }];
      });
    },
  };
}

function compileCheck(
  item: SpecNode,
  options: OptionsContext,
  context: CompileContext,
): CheckEntry | undefined {
  const said = checkForm(item, context);
  if (said === undefined) return undefined;
  const found = resolvePlugin("check", said.id, said.at, context);
  if (found === undefined) return undefined;
  const owner = {
    name: said.id,
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const read = readOptions(said.body, asJsonSchema(found.definition.options), owner, options);
  return {
    definition: found.definition,
    options: read.value,
    templates: read.templates,
    expressions: read.expressions,
    path: item.path,
  };
}

function checkForm(
  item: SpecNode,
  context: CompileContext,
): { id: string; at: SpecNode; body: MapNode } | undefined {
  const { diagnostics } = context;
  if (item.kind === "scalar") {
    const id = readText(item, diagnostics);
    return id === undefined ? undefined : { id, at: item, body: emptyMap(item) };
  }
  const [first, second] = item.kind === "map" ? item.entries.values() : [];
  if (first === undefined || second !== undefined) {
    const at = second?.key ?? item;
    const message =
      first !== undefined && second !== undefined
        ? `\`${second.key.text}\` stands beside \`${first.key.text}\`, not inside it`
        : `a check is one word or a map with one key, not ${item.kind === "map" ? "an empty map" : shownValue(item)}`;
    const repair =
      first === undefined || second === undefined
        ? "write `- evidence`, or `- rule: { expr: ..., message: ... }`"
        : `indent it by 2 more, or write \`- ${first.key.text}: { ${second.key.text}: ... }\``;
    diagnostics.error("LW-STAGE-MISPLACED-OPTION", at, message, repair);
    return undefined;
  }
  const { key, value } = first;
  if (value.kind === "map")
    return { id: key.text, at: key, body: { ...value, ...positionOf(key) } };
  diagnostics.error(
    "LW-VALUE-MAP-EXPECTED",
    value,
    `the options of \`${key.text}\` are a map, not ${shownValue(value)}`,
    `write \`${key.text}: { OPTION: ${value.kind === "scalar" ? value.text : "[...]"} }\``,
  );
  return undefined;
}
