import { isAbsolute, relative } from "node:path";
import type { Json, JsonObject } from "../contracts/json.ts";
import { SpecError } from "../errors/loopwright-error.ts";
import { type Expression, ExpressionError } from "../spec/text/expression.ts";
import type { Position } from "../spec/text/position.ts";
import { renderTemplate, type Template, TemplateError } from "../spec/text/template.ts";
import type { Frame } from "./run-scope.ts";
import { frameView } from "./state-view.ts";

/** Evaluates an expression of the spec over the frame's state; throws a SpecError with its place where it can't be computed. */
export function evaluateIn(frame: Frame, expression: Expression): Json {
  try {
    return expression.evaluate(frameView(frame));
  } catch (fault) {
    if (!(fault instanceof ExpressionError)) throw fault;
    throw uncomputed(frame, expression, fault);
  }
}

/** The fault of an expression that can't be computed, with its place. */
export function uncomputed(
  frame: Frame,
  expression: Expression,
  fault: ExpressionError,
): SpecError {
  const place = placeText(frame, expression.at ?? frame.stage?.position);
  const message = `\`${expression.source}\`${place} can't be computed: ${fault.reason}`;
  return new SpecError("expression-failed", message, { cause: fault });
}

/** Renders a template of the spec over the frame's state and further names; throws a SpecError with the place of its stage where it can't be filled. */
export function renderIn(frame: Frame, template: Template, bind: JsonObject = {}): Json {
  try {
    return renderTemplate(template, { ...frameView(frame), ...bind });
  } catch (fault) {
    if (!(fault instanceof TemplateError)) throw fault;
    const stage = frame.stage === undefined ? "the spec" : `\`${frame.stage.id}\``;
    const place = placeText(frame, frame.stage?.position);
    const message = `a template of ${stage}${place} can't be filled: ${fault.message}`;
    throw new SpecError("expression-failed", message, { cause: fault });
  }
}

function placeText(frame: Frame, at: Position | undefined): string {
  if (at === undefined) return "";
  const { root } = frame.run.linked.program;
  return ` (${isAbsolute(at.file) ? relative(root, at.file) : at.file}:${at.line})`;
}
