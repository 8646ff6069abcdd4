import {
  Clock,
  count,
  defineTool,
  path,
  ProjectRoot,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { searchFolder } from "./search-files/search-folder.ts";
import { confine } from "./shared/confined-path.ts";

const options = Type.Object({
  root: Type.Optional(path({ description: "The folder to search; by default the project root." })),
  maxMatches: count({ description: "How many matches one call returns at most.", default: 100 }),
  maxBytes: count({ description: "How many bytes one call returns at most.", default: 50_000 }),
});

const input = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "What to look for, within one line.",
  }),
  isRegex: Type.Optional(
    Type.Boolean({ description: "True where `text` is a JavaScript regular expression." }),
  ),
  ignoreCase: Type.Optional(
    Type.Boolean({ description: "True to take capitals and small letters as the same." }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      description: "A file or a folder to search in, relative to the root; all where left out.",
    }),
  ),
  glob: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Only files that fit: *.ts by name, src/**/*.{ts,js} by path from the searched folder.",
    }),
  ),
  context: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: "Lines to show before and after each match; 0 where left out.",
    }),
  ),
  all: Type.Optional(
    Type.Boolean({ description: "Also names that begin with a dot, and node_modules." }),
  ),
});

/** Finds lines in the text files of the project root or one folder; links are not followed. */
export const searchFiles: ToolDefinition = defineTool({
  id: "search-files",
  description: `Finds the lines of text files that hold a text.
Use it to learn where a name, a setting or a sentence stands, before you read whole files.
Do not use it to find files by their name, for anything outside the given folder, or for a text that runs over several lines.
It returns one match a line as \`path:line: text\`, files in order of path, lines around a match as \`path-line- text\`. The text is taken literally unless isRegex is true. Binary files, hidden names, .git and node_modules are skipped, and a last line in square brackets says so; it also says where the search had to stop. No match is no error.`,
  options,
  input,
  output: Type.String(),
  effect: "read",
  inject: { projectRoot: ProjectRoot, clock: Clock },
  create:
    ({ root, maxMatches, maxBytes }, { projectRoot, clock }) =>
    async (call, { signal }) => {
      const place = await confine(root ?? projectRoot, call.path ?? ".");
      const { isRegex = false, ignoreCase = false, context = 0, all = false } = call;
      return searchFolder(place, {
        query: { text: call.text, isRegex, ignoreCase },
        glob: call.glob,
        context,
        isAllWanted: all,
        maxMatches,
        maxBytes,
        clock,
        signal,
      });
    },
});
