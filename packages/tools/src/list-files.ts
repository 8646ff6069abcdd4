import {
  count,
  defineTool,
  path,
  ProjectRoot,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { listFolder } from "./list-files/list-folder.ts";
import { confine } from "./shared/confined-path.ts";

const options = Type.Object({
  root: Type.Optional(path({ description: "The folder to list; by default the project root." })),
  maxEntries: count({ description: "How many names one call returns at most.", default: 500 }),
});

const input = Type.Object({
  path: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The folder, relative to the root; the root itself where left out.",
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: "How many levels to list; 1 where left out, 20 with a glob.",
    }),
  ),
  glob: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Only files that fit: *.ts by name, src/**/*.{ts,js} by path from the listed folder.",
    }),
  ),
  all: Type.Optional(
    Type.Boolean({ description: "Also names that begin with a dot, and node_modules." }),
  ),
});

/** Lists a folder inside the project root or one folder, with kinds and sizes; links are told and never followed. */
export const listFiles: ToolDefinition = defineTool({
  id: "list-files",
  description: `Lists what lies in a folder: files with their sizes, folders, links.
Use it to learn which files there are before you read or search one; give a glob to find files by name.
Do not use it to find a text in files, or again for a folder that an observation already lists.
It returns one line a name, sorted, paths from the root: \`docs/\` is a folder, \`docs/a.md (120 bytes)\` a file. Hidden names, .git and node_modules are skipped, and a last line in square brackets says so; it also says where the list had to stop.`,
  options,
  input,
  output: Type.String(),
  effect: "read",
  inject: { projectRoot: ProjectRoot },
  create:
    ({ root, maxEntries }, { projectRoot }) =>
    async (call, { signal }) => {
      const place = await confine(root ?? projectRoot, call.path ?? ".");
      return listFolder(place, {
        depth: call.depth ?? (call.glob === undefined ? 1 : 20),
        glob: call.glob,
        isAllWanted: call.all ?? false,
        maxEntries,
        signal,
      });
    },
});
