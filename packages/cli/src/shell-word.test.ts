import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.runIf(process.platform !== "win32").each([
  ["agents/desk.yaml", "agents/desk.yaml"],
  ["My Folder/desk.yaml", "'My Folder/desk.yaml'"],
  ["it's/$HOME.yaml", "'it'\\''s/$HOME.yaml'"],
])("writes %s as %s", (path, word) => {
  expect(shellWord(path)).toBe(word);
});
