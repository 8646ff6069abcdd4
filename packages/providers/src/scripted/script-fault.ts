/** A way into a script, like `replies`, 3, `text`. */
export type ScriptPath = readonly (string | number)[];

/** What is wrong in a script, and where in it. */
export class ScriptFault extends Error {
  readonly path: ScriptPath;
  /** True where the last key of the path is at fault, not its value. */
  readonly isKey: boolean;

  /** `what` follows the path in the message: `must be text`. */
  constructor(path: ScriptPath, what: string, isKey: boolean = false) {
    const at = isKey ? path.slice(0, -1) : path;
    super(`${at.length === 0 ? "the file" : pathText(at)} ${what}`);
    this.path = path;
    this.isKey = isKey;
  }
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
