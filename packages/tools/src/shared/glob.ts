import { ToolError } from "@loopwright/core/plugin";

const MAX_LENGTH = 200;
const MAX_ALTERNATIVES = 64;

/**
 * Compiles a glob: `*` and `?` within one name, `**` over folders, `{a,b}` alternatives. Without a slash it is held against
 * the last name of a path. Matching never backtracks beyond the last star, whatever the glob and the path.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (glob.length > MAX_LENGTH)
    throw new ToolError(
      "tool-arguments-invalid",
      `A glob has at most ${MAX_LENGTH} characters; write a shorter one.`,
    );
  const alternatives = expandBraces(glob.replace(/^\.\//, "")).map((text) => text.split("/"));
  return (path) => {
    const names = path.split("/");
    return alternatives.some((parts) =>
      parts.length === 1 && parts[0] !== "**"
        ? matchesName(parts[0] ?? "", names.at(-1) ?? "")
        : matchesPath(parts, names),
    );
  };
}

/** Tells whether a name fits a pattern with `*` and `?`. */
export function matchesName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = n;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star !== -1) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** The same over whole names, where `**` stands for any number of them. */
function matchesPath(parts: readonly string[], names: readonly string[]): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < names.length) {
    const part = parts[p];
    if (part === "**") {
      star = p++;
      resume = n;
    } else if (part !== undefined && matchesName(part, names[n] ?? "")) {
      p++;
      n++;
    } else if (star !== -1) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (parts[p] === "**") p++;
  return p === parts.length;
}

function expandBraces(glob: string): readonly string[] {
  let done: readonly string[] = [glob];
  for (let isDone = false; !isDone; ) {
    const expanded = done.flatMap(expandFirst);
    if (expanded.length > MAX_ALTERNATIVES)
      throw new ToolError(
        "tool-arguments-invalid",
        `A glob has at most ${MAX_ALTERNATIVES} alternatives; write fewer {a,b}.`,
      );
    isDone = expanded.length === done.length && expanded.every((text, at) => text === done[at]);
    done = expanded;
  }
  return done;
}

/** Replaces the first innermost braces that hold a comma. */
function expandFirst(glob: string): readonly string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (found === null) return [glob];
  const before = glob.slice(0, found.index);
  const after = glob.slice(found.index + found[0].length);
  return (found[1] ?? "").split(",").map((part) => `${before}${part}${after}`);
}
