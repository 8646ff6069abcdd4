import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { ToolError } from "@loopwright/core/plugin";

/** Finds a program: a path as it stands, below the project root, a name in the folders of PATH; relative folders there do not count. */
export async function findProgram(
  program: string,
  projectRoot: string,
  folders: string,
): Promise<string> {
  const places = program.includes("/")
    ? [resolve(projectRoot, program)]
    : folders
        .split(delimiter)
        .filter((folder) => isAbsolute(folder))
        .map((folder) => join(folder, program));
  for (const place of places) if (await isProgram(place)) return place;
  const where = program.includes("/") ? "there is no such program" : "it is not found in PATH";
  throw new ToolError(
    "tool-failed",
    `\`${program}\` can't be run here: ${where}. It has to be installed; use another program meanwhile.`,
  );
}

async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}
