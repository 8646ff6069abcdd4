import {
  count,
  defineTool,
  path,
  ProjectRoot,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { changeFile } from "./write-file/change-file.ts";

const options = Type.Object({
  root: Type.Optional(
    path({ description: "The folder to write in; by default the project root." }),
  ),
  maxBytes: count({
    description: "How many bytes a written file has at most.",
    default: 1_000_000,
  }),
});

const input = Type.Object({
  path: Type.String({
    minLength: 1,
    description: "The file, relative to the root; use / between folders, missing ones are made.",
  }),
  content: Type.Optional(
    Type.String({ description: "The whole content of the file; not together with replace." }),
  ),
  replace: Type.Optional(
    Type.Object(
      {
        old: Type.String({
          minLength: 1,
          description: "A passage as it stands in the file, which holds it exactly once.",
        }),
        new: Type.String({ description: "What stands there afterwards; empty deletes it." }),
      },
      { description: "Replaces one passage of the file; not together with content." },
    ),
  ),
});

/** Writes one text file inside the project root or one folder, whole or in one passage; links that lead out are refused. */
export const writeFile: ToolDefinition = defineTool({
  id: "write-file",
  description: `Writes one text file: its whole content, or one passage of it.
Use it to make a file, or to change one that you have read in this run: \`content\` for a whole file, \`replace\` for one place in a longer one.
Do not use it for a file that you have not read, for binary files, or to try something out; names like .env, .git and node_modules are refused.
It returns what changed, in lines and bytes; the file is changed wholly or not at all. A passage that the file does not hold, or holds several times, is an error that says what to do.`,
  options,
  input,
  output: Type.String(),
  // The same content could be written twice, but what it overwrites is lost: a person is asked unless the spec says otherwise.
  effect: "once",
  inject: { projectRoot: ProjectRoot },
  create: ({ root, maxBytes }, { projectRoot }) => {
    let last: Promise<unknown> = Promise.resolve();
    return async ({ path: wanted, content, replace }, { signal }) => {
      const change = content === undefined ? replace : { content };
      if (change === undefined || (content !== undefined && replace !== undefined))
        throw new ToolError("tool-arguments-invalid", "Give either `content` or `replace`.");
      // One after the other: two passages of one file that are replaced at once would undo each other.
      const write = async (): Promise<string> =>
        changeFile({ folder: root ?? projectRoot, wanted, change, maxBytes, signal });
      const mine = last.then(write, write);
      last = mine.catch(() => undefined);
      return mine;
    };
  },
});
