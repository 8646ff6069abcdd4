import type { Json, JsonObject } from "../../contracts/json.ts";
import { parseTemplateParts, type TemplateFault, type TemplatePart } from "./template-parts.ts";
import type { PathPlace } from "./path-place.ts";
import { asNullable, describeShape, resolveShape, type ObjectShape, type Shape } from "./shape.ts";

/** A parsed template: text with `{{ path }}` and `{{# list }} … {{ item.x }} … {{/ list }}`. */
export interface Template {
  readonly parts: readonly TemplatePart[];
  /** The state paths it reads, with their offsets in the text; paths of `item` inside a section are left out. */
  readonly paths: readonly TemplatePath[];
  /** Whether it is exactly one `{{ path }}`, so that the value keeps its type. */
  readonly isWholeValue: boolean;
}

/** A path that a template reads, with its offset in the text (from 0). */
interface TemplatePath {
  readonly path: string;
  readonly offset: number;
}

/** The result of parsing a template; `offset` counts from 0. */
export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | ({ readonly ok: false; readonly offset: number } & TemplateFault);

/** What is wrong with a path of a template. */
export interface TemplateFinding extends TemplatePath {
  readonly code: "LW-TEMPLATE-PATH" | "LW-TEMPLATE-TYPE";
  readonly message: string;
  readonly suggestion: string;
}

/** Thrown when a template cannot be rendered: a path is missing, a section is no list, or the text grows too large. */
export class TemplateError extends Error {
  override readonly name: string = "TemplateError";
}

const maxRenderedCharacters = 8 * 1024 * 1024;
// Sections inside sections over long lists repeat without end in sight, also where they write nothing.
const maxRenderedParts = 1_000_000;

/** Parses a template in linear time; `{{{{` stands for a literal `{{`. */
export function parseTemplate(text: string): ParsedTemplate {
  const parsed = parseTemplateParts(text);
  if (!parsed.ok) return parsed;
  const visible = parsed.parts.filter((part) => part.kind !== "text" || part.text.trim() !== "");
  const isWholeValue = visible.length === 1 && visible[0]?.kind === "value";
  return {
    ok: true,
    template: { parts: parsed.parts, paths: statePaths(parsed.parts, false), isWholeValue },
  };
}

/** Renders a template over the state view; a whole-value template returns the value itself, any other one text. Throws TemplateError. */
export function renderTemplate(template: Template, view: JsonObject): Json {
  if (template.isWholeValue) {
    const value = template.parts.find((part) => part.kind === "value");
    if (value !== undefined) return lookUp(value.path, { view, isInSection: false });
  }
  const out: Output = { pieces: [], length: 0, partCount: 0 };
  renderParts(template.parts, { view, isInSection: false }, out);
  return out.pieces.join("");
}

/** Every place in the text of a template where a state path is read. */
export function pathsOf(template: Template): readonly PathPlace[] {
  return template.paths.map(({ path, offset }) => ({
    path,
    start: offset,
    end: offset + path.length,
  }));
}

/** Checks every path of a template against the shape of the state view. */
export function checkTemplatePaths(template: Template, shape: Shape): readonly TemplateFinding[] {
  const findings: TemplateFinding[] = [];
  checkParts(template.parts, shape, findings);
  return findings;
}

interface Scope {
  readonly view: JsonObject;
  readonly isInSection: boolean;
  readonly item?: Json;
}

interface Output {
  readonly pieces: string[];
  length: number;
  partCount: number;
}

function renderParts(parts: readonly TemplatePart[], scope: Scope, out: Output): void {
  for (const part of parts) {
    count(out);
    if (part.kind === "text") write(out, part.text);
    else if (part.kind === "value") write(out, asText(lookUp(part.path, scope)));
    else {
      const list = lookUp(part.path, scope);
      if (list === null) continue;
      if (!isList(list))
        throw new TemplateError(`\`{{# ${part.path} }}\` needs a list; \`${part.path}\` is none`);
      for (const item of list) {
        count(out);
        renderParts(part.parts, { view: scope.view, isInSection: true, item }, out);
      }
    }
  }
}

function count(out: Output): void {
  out.partCount += 1;
  if (out.partCount > maxRenderedParts)
    throw new TemplateError(
      `the template repeats more than ${maxRenderedParts} times; its lists are too long for sections inside sections`,
    );
}

function write(out: Output, text: string): void {
  out.length += text.length;
  if (out.length > maxRenderedCharacters)
    throw new TemplateError(`the rendered text is longer than ${maxRenderedCharacters} characters`);
  out.pieces.push(text);
}

function asText(value: Json): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function lookUp(path: string, scope: Scope): Json {
  const names = path.split(".");
  const startsAtItem = scope.isInSection && names[0] === "item";
  let current: Json = startsAtItem ? (scope.item ?? null) : scope.view;
  for (const name of startsAtItem ? names.slice(1) : names) {
    const next: Json | undefined = childOf(current, name);
    if (next === undefined)
      throw new TemplateError(`\`{{ ${path} }}\` cannot be filled: there is no \`${name}\``);
    current = next;
  }
  return current;
}

function childOf(value: Json, name: string): Json | undefined {
  if (isList(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return value[name];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function statePaths(parts: readonly TemplatePart[], isInSection: boolean): TemplatePath[] {
  return parts.flatMap((part) => {
    if (part.kind === "text") return [];
    const isOfItem = isInSection && /^item(\.|$)/.test(part.path);
    const own = isOfItem ? [] : [{ path: part.path, offset: part.offset }];
    return part.kind === "section" ? [...own, ...statePaths(part.parts, true)] : own;
  });
}

function checkParts(
  parts: readonly TemplatePart[],
  root: Shape,
  findings: TemplateFinding[],
): void {
  for (const part of parts) {
    if (part.kind === "text") continue;
    const { path, offset } = part;
    const resolved = resolveShape(root, path);
    if (!resolved.ok) {
      const { message, suggestion } = resolved;
      findings.push({
        code: "LW-TEMPLATE-PATH",
        path,
        offset,
        message,
        suggestion,
      });
      if (part.kind === "section")
        checkParts(part.parts, withItem(root, { kind: "any" }), findings);
    } else if (part.kind === "section") {
      const { shape } = resolved;
      const isRepeatable = shape.kind === "list" || shape.kind === "any";
      if (!isRepeatable)
        findings.push({
          code: "LW-TEMPLATE-TYPE",
          path,
          offset,
          message: `\`{{# ${path} }}\` needs a list; \`${path}\` is ${describeShape(shape)}`,
          suggestion: `write \`{{ ${path} }}\` without repeating`,
        });
      checkParts(
        part.parts,
        withItem(root, shape.kind === "list" ? shape.of : { kind: "any" }),
        findings,
      );
    }
  }
}

function withItem(root: Shape, item: Shape): Shape {
  if (root.kind !== "object") return root;
  const scoped: ObjectShape = { kind: "object", fields: { ...root.fields, item } };
  return root.nullable === true ? asNullable(scoped) : scoped;
}
