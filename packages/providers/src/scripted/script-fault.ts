import { didYouMean } from "@loopwright/core/plugin";

/** A way into a script, like `replies`, 3, `text`. */
export type ScriptPath = readonly (string | number)[];

/** What is wrong in a script, where in it, and what to do about it. */
export class ScriptFault extends Error {
  readonly path: ScriptPath;
  readonly repair: string;
  /** True where the last key of the path is at fault, not its value. */
  readonly isKey: boolean;

  /** `what` follows the path in the message: `must be text`. */
  constructor(path: ScriptPath, what: string, repair: string, isKey: boolean = false) {
    const at = isKey ? path.slice(0, -1) : path;
    super(`${at.length === 0 ? "the file" : pathText(at)} ${what}`);
    this.path = path;
    this.repair = repair;
    this.isKey = isKey;
  }
}

/** The fault of a key that nobody reads. */
export function unknownKey(path: ScriptPath, key: string, known: readonly string[]): ScriptFault {
  const what = `has the unknown key ${key}; known are ${known.join(", ")}`;
  const repair = didYouMean(key, known) ?? "delete it, or write one of the known keys";
  return new ScriptFault([...path, key], what, repair, true);
}

function pathText(path: ScriptPath): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[A-Za-z]\w*$/u.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}
