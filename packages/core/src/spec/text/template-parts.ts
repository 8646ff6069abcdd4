/** One piece of a template. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: string; readonly offset: number }
  | {
      readonly kind: "section";
      readonly path: string;
      readonly offset: number;
      readonly parts: readonly TemplatePart[];
    };

/** The pieces of a template, or what is wrong and at which offset (from 0). */
export type ParsedParts =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | ({ readonly ok: false; readonly offset: number } & TemplateFault);

/** What is wrong in the syntax of a template, and its repair. */
export interface TemplateFault {
  readonly message: string;
  readonly suggestion: string;
}

interface Tag {
  readonly mark: "" | "#" | "/";
  readonly path: string;
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

interface OpenSection {
  readonly path: string;
  readonly offset: number;
  readonly parts: TemplatePart[];
}

const deepestSection = 8;
const pathPattern = /^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u;

/** Splits a template into its pieces in linear time; a section tag alone on a line takes the whole line with it. */
export function parseTemplateParts(text: string): ParsedParts {
  const root: TemplatePart[] = [];
  const open: OpenSection[] = [];
  let position = 0;
  for (;;) {
    const start = text.indexOf("{{", position);
    const current = open.at(-1)?.parts ?? root;
    if (start === -1) {
      addText(current, text.slice(position));
      break;
    }
    if (text.startsWith("{{{{", start)) {
      addText(current, text.slice(position, start) + "{{");
      position = start + 4;
      continue;
    }
    const tag = readTag(text, start);
    if ("message" in tag) return { ok: false, ...tag };
    const outer = tag.mark === "" ? tag : wholeLine(text, tag, position);
    addText(current, text.slice(position, outer.start));
    position = outer.end;
    const fault = place(tag, current, open);
    if (fault !== undefined) return { ok: false, ...fault, offset: tag.start };
  }
  const unclosed = open.at(-1);
  if (unclosed === undefined) return { ok: true, parts: root };
  return {
    ok: false,
    message: `\`{{# ${unclosed.path} }}\` is never closed`,
    suggestion: `write \`{{/ ${unclosed.path} }}\` after what is repeated`,
    offset: unclosed.offset,
  };
}

function readTag(text: string, start: number): Tag | (TemplateFault & { offset: number }) {
  const close = text.indexOf("}}", start + 2);
  if (close === -1)
    return {
      message: "`{{` is never closed",
      suggestion: "write `}}` after the path, or `{{{{` for a literal `{{`",
      offset: start,
    };
  const inside = text.slice(start + 2, close);
  const match = /^\s*([#/]?)\s*(\S*)\s*$/.exec(inside);
  const path = match?.[2] ?? "";
  if (match === null || !pathPattern.test(path)) {
    const shown = inside.trim().length > 60 ? `${inside.trim().slice(0, 60)}…` : inside.trim();
    const what = shown === "" ? "`{{ }}` names nothing" : `\`{{ ${shown} }}\` is not a path`;
    return {
      message: what,
      suggestion: "write a path, like `{{ inputs.city }}`, or `{{{{` for a literal `{{`",
      offset: start,
    };
  }
  const mark = match[1] === "#" ? "#" : match[1] === "/" ? "/" : "";
  return { mark, path, offset: start + 2 + inside.indexOf(path), start, end: close + 2 };
}

// `floor` is where the text that is not yet consumed begins.
function wholeLine(text: string, tag: Tag, floor: number): { start: number; end: number } {
  let start = tag.start;
  while (start > floor && (text[start - 1] === " " || text[start - 1] === "\t")) start -= 1;
  let end = tag.end;
  while (text[end] === " " || text[end] === "\t") end += 1;
  const startsLine = start === 0 || text[start - 1] === "\n";
  const lineEnd = text.startsWith("\r\n", end)
    ? 2
    : text[end] === "\n"
      ? 1
      : end === text.length
        ? 0
        : undefined;
  return startsLine && lineEnd !== undefined ? { start, end: end + lineEnd } : tag;
}

function place(tag: Tag, current: TemplatePart[], open: OpenSection[]): TemplateFault | undefined {
  if (tag.mark === "") {
    current.push({ kind: "value", path: tag.path, offset: tag.offset });
    return undefined;
  }
  if (tag.mark === "#") {
    if (open.length >= deepestSection)
      return {
        message: `sections are nested deeper than ${deepestSection} levels`,
        suggestion: "repeat over fewer lists inside each other",
      };
    const parts: TemplatePart[] = [];
    current.push({ kind: "section", path: tag.path, offset: tag.offset, parts });
    open.push({ path: tag.path, offset: tag.offset, parts });
    return undefined;
  }
  const section = open.pop();
  if (section === undefined)
    return {
      message: `\`{{/ ${tag.path} }}\` closes nothing`,
      suggestion: `delete it, or write \`{{# ${tag.path} }}\` before it`,
    };
  if (section.path === tag.path) return undefined;
  return {
    message: `\`{{/ ${tag.path} }}\` stands where \`{{/ ${section.path} }}\` is due`,
    suggestion: `write \`{{/ ${section.path} }}\``,
  };
}

function addText(parts: TemplatePart[], text: string): void {
  if (text !== "") parts.push({ kind: "text", text });
}
