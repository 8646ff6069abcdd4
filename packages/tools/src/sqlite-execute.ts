import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  Clock,
  count,
  defineTool,
  duration,
  path,
  ProjectRoot,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { confine, shownPath } from "./shared/confined-path.ts";
import { askDatabase } from "./shared/sqlite/ask-database.ts";
import { checkParameters } from "./shared/sqlite/check-parameters.ts";
import { readStatement } from "./shared/sqlite/read-statement.ts";
import { paramsInput, shownRows } from "./shared/sqlite/statement-forms.ts";

/** The statements that are run, by their first word; where the second one matters, which it may be. */
const changing: Readonly<Record<string, readonly string[] | "any">> = {
  INSERT: "any",
  REPLACE: "any",
  UPDATE: "any",
  DELETE: "any",
  WITH: "any",
  CREATE: ["TABLE", "INDEX", "UNIQUE", "VIEW", "TRIGGER", "VIRTUAL"],
  ALTER: ["TABLE"],
  DROP: ["TABLE", "INDEX", "VIEW", "TRIGGER"],
};

const options = Type.Object({
  file: path({ description: "The database file; it is made where there is none.", writes: true }),
  maxRows: count({
    description: "How many rows of RETURNING one call returns at most.",
    default: 100,
  }),
  maxBytes: count({
    description: "How many characters of rows one call returns at most, as JSON.",
    default: 20_000,
  }),
  maxTime: duration({ description: "After this time a statement is stopped.", default: 10_000 }),
});

const input = Type.Object({
  sql: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description: "One INSERT, REPLACE, UPDATE, DELETE, CREATE, ALTER or DROP statement.",
  }),
  params: Type.Optional(paramsInput),
});

const output = Type.Object({
  changes: Type.Integer(),
  lastInsertRowid: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  columns: Type.Optional(Type.Array(Type.String())),
  rows: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
  note: Type.Optional(Type.String()),
});

/** Changes a SQLite database by one statement, wholly or not at all. */
export const sqliteExecute: ToolDefinition = defineTool({
  id: "sqlite-execute",
  description: `Changes a SQLite database by one statement.
Use it when the task asks for a change, and only after a query has shown which rows it will touch.
Do not use it to look something up, for several statements at once, for transactions (every statement is one of its own, done wholly or not at all), or for ATTACH, PRAGMA and VACUUM. Do not write values into the SQL: give them as params. Foreign keys are enforced.
It returns changes, the number of rows inserted, changed or deleted; lastInsertRowid after an insert; columns and rows where the statement has RETURNING. A fault comes as SQLite's own message; then nothing was changed.`,
  options,
  input,
  output,
  effect: "once",
  inject: { clock: Clock, projectRoot: ProjectRoot },
  create:
    ({ file, maxRows, maxBytes, maxTime }, { clock, projectRoot }) =>
    async ({ sql, params = [] }, { signal }) => {
      const statement = readStatement(sql);
      refuseOther(statement);
      checkParameters(statement, params);
      const place = await placeOf(projectRoot, file);
      const { identifiers } = statement;
      const question = {
        file: place,
        sql,
        identifiers,
        params,
        isWriting: true,
        maxRows,
        maxBytes,
      };
      const answer = await askDatabase({ ...question, maxTimeMs: maxTime }, { clock, signal });
      return {
        changes: answer.changes ?? 0,
        ...(answer.lastInsertRowid === undefined
          ? {}
          : { lastInsertRowid: answer.lastInsertRowid }),
        ...(answer.columns.length === 0 ? {} : shownRows(answer)),
      };
    },
});

/** The file, links resolved; its folder where it is still to be made. */
async function placeOf(projectRoot: string, file: string): Promise<string> {
  if (existsSync(file)) return (await confine(projectRoot, shownPath(projectRoot, file))).target;
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const { target } = await confine(projectRoot, shownPath(projectRoot, folder));
  return join(target, basename(file));
}

function refuseOther({ words, hasMore, schema }: ReturnType<typeof readStatement>): void {
  const [first = "", second = ""] = words;
  const allowed = Object.hasOwn(changing, first) ? changing[first] : undefined;
  if (allowed === undefined || (allowed !== "any" && !allowed.includes(second))) {
    const message = `Not run: ${words.slice(0, 2).join(" ") || "an empty statement"} is not allowed; the statements are ${Object.keys(changing).join(", ")}.`;
    throw new ToolError("tool-failed", message);
  }
  if (schema === "temp") {
    const message = "Not run: what is temporary ends with the call; create it without `temp.`.";
    throw new ToolError("tool-failed", message);
  }
  if (!hasMore) return;
  throw new ToolError("tool-failed", "Not run: there are several statements; send one a call.");
}
