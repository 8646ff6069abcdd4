import type { JsonSchema } from "../contracts/json.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import { isJsonObject } from "../spec/document/options-context.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { textOf } from "../spec/document/node-text.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { compileExpression } from "../spec/text/expression.ts";
import type { ObjectShape, Shape } from "../spec/text/shape.ts";
import { entry } from "../spec/text/spec-node.ts";
import { slotOf } from "./slot-forms.ts";
import type { ReadStage } from "./stage-tree.ts";
import { resultShape } from "./state-shape.ts";

/** What is seen at a place among the stages. */
export interface StageScope {
  readonly shape: ObjectShape;
  /** The names that slots around it bind, the outermost first. */
  readonly bindings: readonly string[];
}

/** What the children of a slot see: all that the stage sees, what the slot binds, and results of a sibling slot. */
export function slotScope(stage: ReadStage, slot: string, around: StageScope): StageScope {
  const declaration = stage.definition.slots[slot];
  if (declaration === undefined) return around;
  const bound = boundName(stage, declaration);
  const seen = declaration.seesResultsOf;
  if (bound === undefined && seen === undefined) return around;
  const { fields } = around.shape;
  const results = seen === undefined ? fields["results"] : withResults(stage, seen, around.shape);
  const shape: ObjectShape = {
    kind: "object",
    fields: {
      ...fields,
      ...(results === undefined ? {} : { results }),
      ...(bound === undefined ? {} : { [bound]: itemShape(stage, declaration, around.shape) }),
    },
  };
  return { shape, bindings: bound === undefined ? around.bindings : [...around.bindings, bound] };
}

/** What a late template of a stage sees: what its slots bind. */
export function lateScope(stage: ReadStage, around: StageScope): ObjectShape {
  const binding = Object.entries(stage.definition.slots).find(
    ([, declaration]) => declaration.binds !== undefined,
  );
  return binding === undefined ? around.shape : slotScope(stage, binding[0], around).shape;
}

/** The shape of what an option that is a list expression comes to; undefined where it can't be read. */
export function listShape(
  stage: ReadStage,
  option: string,
  around: ObjectShape,
): Shape | undefined {
  const source = optionText(stage, option);
  const compiled = source === undefined ? undefined : compileExpression(source, around, "list");
  return compiled?.ok === true ? compiled.expression.shape : undefined;
}

/** Reports names that slots of a stage bind and that can't be used, and names of children that clash with a stage. */
export function checkNames(stage: ReadStage, around: StageScope, diagnostics: Diagnostics): void {
  for (const declaration of Object.values(stage.definition.slots)) {
    checkBinding(stage, declaration, around, diagnostics);
    if (declaration.seesResultsOf !== undefined)
      checkChildNames(stage, declaration.seesResultsOf, around.shape, diagnostics);
  }
}

function itemShape(stage: ReadStage, { binds }: SlotDeclaration, around: ObjectShape): Shape {
  const list = binds === undefined ? undefined : listShape(stage, binds.of, around);
  return list?.kind === "list" ? list.of : { kind: "any" };
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while args __proto__".split(
    " ",
  ),
);

function boundName(stage: ReadStage, { binds }: SlotDeclaration): string | undefined {
  const name = binds === undefined ? undefined : optionText(stage, binds.name);
  return name !== undefined && identifier.test(name) && !reserved.has(name) ? name : undefined;
}

function checkBinding(
  stage: ReadStage,
  { binds }: SlotDeclaration,
  { shape, bindings }: StageScope,
  diagnostics: Diagnostics,
): void {
  const name = binds === undefined ? undefined : optionText(stage, binds.name);
  if (binds === undefined || name === undefined) return;
  const at = entry(stage.options, binds.name) ?? stage.at;
  if (!identifier.test(name) || reserved.has(name)) {
    const message = `\`${binds.name}\` is a name for expressions: letters and digits, a letter first; \`${name}\` is not`;
    diagnostics.error(
      "LW-STAGE-OPTIONS",
      at,
      message,
      `write \`${binds.name}: ${nameLike(name)}\``,
    );
  } else if (bindings.includes(name)) {
    const message = `\`${name}\` is already the \`${binds.name}\` of a stage around this one`;
    const other = `inner${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    diagnostics.error("LW-STAGE-OPTIONS", at, message, `write \`${binds.name}: ${other}\``);
  } else if (Object.hasOwn(shape.fields, name)) {
    const message = `\`${name}\` is a name of the state; \`${binds.name}\` needs one of its own`;
    diagnostics.error("LW-STAGE-OPTIONS", at, message, `write \`${binds.name}: one\``);
  }
}

function nameLike(name: string): string {
  const camel = name
    .replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^\d+/, "");
  return identifier.test(camel) && !reserved.has(camel) ? camel : "one";
}

/** The children of a slot with names, each with the key that programs store it by. */
function childrenOfSlot(
  stage: ReadStage,
  slot: string,
): readonly (readonly [name: string, key: string])[] {
  return [...stage.slots.keys()]
    .filter((key) => slotOf(key) === slot && key !== slot)
    .map((key) => [key.slice(slot.length + 1), key] as const);
}

function checkChildNames(
  stage: ReadStage,
  slot: string,
  shape: ObjectShape,
  diagnostics: Diagnostics,
): void {
  const results = shape.fields["results"];
  if (results?.kind !== "object") return;
  for (const [name, key] of childrenOfSlot(stage, slot)) {
    const last = stage.slots.get(key)?.at(-1);
    if (!Object.hasOwn(results.fields, name) || last?.id === name) continue;
    const at = stage.childNames.get(key) ?? stage.at;
    const message = `\`${name}\` is also the id of a stage, so that \`results.${name}\` could be either`;
    diagnostics.error("LW-SPEC-ID-CLASH", at, message, `write \`${name}-2:\``);
  }
}

function withResults(stage: ReadStage, slot: string, shape: ObjectShape): Shape {
  const { results } = shape.fields;
  const known = results?.kind === "object" ? results.fields : {};
  const shapeOf = (key: string): Shape => {
    const last = stage.slots.get(key)?.at(-1);
    return (last === undefined ? undefined : known[last.id]) ?? resultShape();
  };
  const own = childrenOfSlot(stage, slot).map(([name, key]) => [name, shapeOf(key)] as const);
  return { kind: "object", fields: { ...known, ...Object.fromEntries(own) } };
}

/** The text of an option, or of its default. */
function optionText(stage: ReadStage, option: string): string | undefined {
  const said = entry(stage.options, option);
  if (said !== undefined) return textOf(said);
  const schemas = propertiesOf(asJsonSchema(stage.definition.options));
  const schema: JsonSchema | undefined = schemas.get(option);
  const standard = isJsonObject(schema) ? schema["default"] : undefined;
  return typeof standard === "string" ? standard : undefined;
}
