import { labelOf, shownValue, textOf } from "../spec/document/node-text.ts";
import { readExpression } from "../spec/document/read-expression.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { readText } from "../spec/document/read-scalar.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { ObjectShape } from "../spec/text/shape.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { parseTemplate, type Template } from "../spec/text/template.ts";
import type { TaskTemplate } from "../program/program.ts";

/** What the parts of a task may read: templates the inputs, rules the whole state. */
export interface TaskShapes {
  readonly templates: ObjectShape;
  readonly rules: ObjectShape;
}

const taskKeys: readonly string[] = ["text", "mission", "deliverable", "constraints"];
const constraintKeys: readonly string[] = ["text", "rule"];

/** Reads `task`: a template, or a map of text, mission, deliverable and constraints. */
export function compileTask(
  node: SpecNode | undefined,
  shapes: TaskShapes,
  diagnostics: Diagnostics,
): TaskTemplate {
  const none = { text: emptyTemplate(), constraints: [] };
  if (node === undefined) return none;
  if (node.kind === "scalar")
    return { ...none, text: readTemplate(node, shapes.templates, diagnostics) ?? none.text };
  if (node.kind === "list") {
    diagnostics.error(
      "LW-VALUE-TYPE",
      node,
      "`task` is text, or a map of text, mission, deliverable and constraints; it is a list",
      "write `task: { constraints: [...] }`, or the text alone",
    );
    return none;
  }
  reportOthers(node, taskKeys, "task", diagnostics);
  const [text, mission, deliverable] = ["text", "mission", "deliverable"].map((key) => {
    const said = entry(node, key);
    return said === undefined ? undefined : readTemplate(said, shapes.templates, diagnostics);
  });
  return {
    text: text ?? none.text,
    ...(mission === undefined ? {} : { mission }),
    ...(deliverable === undefined ? {} : { deliverable }),
    constraints: compileConstraints(entry(node, "constraints"), shapes, diagnostics),
  };
}

function compileConstraints(
  node: SpecNode | undefined,
  shapes: TaskShapes,
  diagnostics: Diagnostics,
): TaskTemplate["constraints"] {
  if (node === undefined) return [];
  if (node.kind !== "list") {
    diagnostics.error(
      "LW-VALUE-LIST-EXPECTED",
      node,
      `\`constraints\` is a list, not ${shownValue(node)}`,
      "write one constraint an item: `- ...`",
    );
    return [];
  }
  return node.items.flatMap((item, index) => {
    const constraint = compileConstraint(item, `c${index + 1}`, shapes, diagnostics);
    return constraint === undefined ? [] : [constraint];
  });
}

function compileConstraint(
  item: SpecNode,
  id: string,
  shapes: TaskShapes,
  diagnostics: Diagnostics,
): TaskTemplate["constraints"][number] | undefined {
  if (item.kind === "scalar") {
    const text = readTemplate(item, shapes.templates, diagnostics);
    return text === undefined ? undefined : { id, text };
  }
  if (item.kind === "list") {
    readText(item, diagnostics);
    return undefined;
  }
  const [only, second] = item.entries.values();
  if (only !== undefined && second === undefined && !constraintKeys.includes(only.key.text)) {
    const message = `\`${only.key.text}: ...\` is read as a map; a constraint is text, or { text, rule }`;
    const text = textOf(only.value);
    const repair =
      text === undefined ? "quote the text" : `quote the text: "${only.key.text}: ${text}"`;
    diagnostics.error("LW-VALUE-TEXT-EXPECTED", item, message, repair);
    return undefined;
  }
  reportOthers(item, constraintKeys, labelOf(item), diagnostics);
  const said = entry(item, "text");
  const rule = entry(item, "rule");
  if (said === undefined || rule === undefined) {
    const missing = said === undefined ? "text" : "rule";
    const repair =
      "write { text: ..., rule: '...' }, or the text alone; quote a text that holds `: `";
    diagnostics.error(
      "LW-SPEC-MISSING-KEY",
      item,
      `a constraint written as a map needs \`${missing}\``,
      repair,
    );
    return undefined;
  }
  const text = readTemplate(said, shapes.templates, diagnostics);
  const expression = readExpression(rule, shapes.rules, "bool", diagnostics);
  return text === undefined || expression === undefined
    ? undefined
    : { id, text, rule: expression };
}

function reportOthers(
  node: MapNode,
  known: readonly string[],
  name: string,
  diagnostics: Diagnostics,
): void {
  for (const [key, { key: at }] of node.entries) {
    if (known.includes(key)) continue;
    const repair = didYouMean(key, known) ?? `known: ${known.join(", ")}`;
    diagnostics.error("LW-SPEC-UNKNOWN-KEY", at, `\`${name}\` has no \`${key}\``, repair);
  }
}

function emptyTemplate(): Template {
  const parsed = parseTemplate("");
  return parsed.ok ? parsed.template : { parts: [], paths: [], isWholeValue: false };
}
