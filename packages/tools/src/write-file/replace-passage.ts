import { ToolError } from "@loopwright/core/plugin";

const MAX_PLACES = 10;

/** Text with one passage replaced, and where. */
export interface Replaced {
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Replaces the one place where a passage stands; none or several are a ToolError. Line ends are taken as the file has them. */
export function replacePassage(
  text: string,
  wanted: { readonly old: string; readonly new: string },
  path: string,
): Replaced {
  const isCrlf = text.includes("\r\n") && !wanted.old.includes("\r");
  const fit = (part: string): string => (isCrlf ? part.replaceAll(/\r?\n/g, "\r\n") : part);
  const old = fit(wanted.old);
  const at = text.indexOf(old);
  if (at === -1)
    throw new ToolError(
      "tool-failed",
      `"${path}" does not hold that passage; read the file again and give \`old\` exactly as it stands, with its spaces.`,
    );
  if (text.includes(old, at + 1)) {
    const places = placesOf(text, old);
    const more = places.length === MAX_PLACES ? " and further" : "";
    throw new ToolError(
      "tool-failed",
      `"${path}" holds that passage several times, at lines ${places.join(", ")}${more}; give a longer \`old\` that stands there once.`,
    );
  }
  const firstLine = lineAt(text, at);
  return {
    text: text.slice(0, at) + fit(wanted.new) + text.slice(at + old.length),
    firstLine,
    lastLine: firstLine + old.replace(/\n$/, "").split("\n").length - 1,
  };
}

function placesOf(text: string, old: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) {
    if (places.length === MAX_PLACES) break;
    places.push(lineAt(text, at));
  }
  return places;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
