import { usageError } from "./command-error.ts";

/** The task in words, from the command line or, for a single `-`, from standard input. */
export async function readTask(words: readonly string[]): Promise<string> {
  if (!words.includes("-")) return words.join(" ");
  if (words.length > 1) throw usageError("`-` reads the task from standard input and stands alone");
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const piece of process.stdin) text += String(piece);
  return text.trim();
}
