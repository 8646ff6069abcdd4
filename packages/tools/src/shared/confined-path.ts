import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ToolError } from "@loopwright/core/plugin";

/** A path that a model named, resolved below a folder. */
export interface ConfinedPath {
  /** The folder, links resolved. */
  readonly root: string;
  /** What the path leads to, links resolved. */
  readonly target: string;
  /** As the model wrote it. */
  readonly wanted: string;
}

/** Resolves the folder that a tool is confined to; it must exist. */
export async function openRoot(root: string): Promise<string> {
  return realpath(root).catch((cause: unknown) => {
    throw new ToolError(
      "tool-failed",
      `The folder ${root} can't be read; the spec's \`root\` must exist.`,
      { cause },
    );
  });
}

/** Resolves the path of something that exists; what lies outside the folder is a ToolError, also behind a link. */
export async function confine(folder: string, wanted: string): Promise<ConfinedPath> {
  const root = await openRoot(folder);
  const target = await realpath(resolveBelow(root, wanted)).catch((cause: unknown) => {
    throw new ToolError(
      "tool-failed",
      `There is no readable file or folder "${wanted}"; check its path and spelling.`,
      { cause },
    );
  });
  if (!isInside(root, target)) throw outside(wanted);
  return { root, target, wanted };
}

/** Joins a path to the folder without looking at the disk; absolute paths, NUL and steps out of the folder are refused. */
export function resolveBelow(root: string, wanted: string): string {
  const target = resolve(root, wanted);
  if (wanted.includes("\0") || isAbsolute(wanted) || !isInside(root, target)) throw outside(wanted);
  return target;
}

/** Tells whether a path is the folder or lies below it; both resolved. */
export function isInside(root: string, target: string): boolean {
  const way = relative(root, target);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Tells whether a file holds secrets of the environment: `.env` and its kin, `.env.example` aside. */
export function isSecretFile(path: string): boolean {
  return /(?:^|[\\/])(?:\.env(?!\.example$)(?:rc|[._~-][^\\/]*)?|[^\\/]+\.env)$/i.test(path);
}

/** Refuses to read secrets of the environment, and what lies in `.git`, whose settings may hold more of them. */
export function refuseClosed({ root, target, wanted }: ConfinedPath): void {
  const isGit = relative(root, target)
    .split(sep)
    .some((name) => name.toLowerCase() === ".git");
  if (!isGit && !isSecretFile(target)) return;
  const reason = isGit ? "lies in .git" : "holds secrets of the environment";
  throw new ToolError("tool-failed", `"${wanted}" ${reason} and is never read.`);
}

/** A path below the folder as a model reads it, with / between folders. */
export function shownPath(root: string, target: string): string {
  return relative(root, target).split(sep).join("/") || ".";
}

/** The refusal of a path that leads out. */
export function outside(wanted: string): ToolError {
  return new ToolError(
    "tool-failed",
    `"${wanted}" lies outside the folder that is open to you; give a path inside it, relative to it.`,
  );
}

/** Why the disk refused, as its code; a path of the machine is no model's business. */
export function diskFault(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "for an unknown reason";
}
