import pc from "picocolors";

/** What a piece of text means to its reader. */
export type Tone = "plain" | "quiet" | "heading" | "act" | "good" | "warning" | "bad" | "lesson";

/** Colours text by its tone, or leaves it alone. */
export type Paint = (tone: Tone, text: string) => string;

/** Creates the paint of a terminal. */
export function createPaint(hasColors: boolean): Paint {
  const { bold, cyan, dim, green, magenta, red, yellow } = pc.createColors(hasColors);
  const paints: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    quiet: dim,
    heading: bold,
    act: cyan,
    good: green,
    warning: yellow,
    bad: red,
    lesson: magenta,
  };
  return (tone, text) => (text === "" ? text : paints[tone](text));
}
