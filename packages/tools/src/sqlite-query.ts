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
import { paramsInput, shownRows, tooWide } from "./shared/sqlite/statement-forms.ts";

const reading: ReadonlySet<string> = new Set(["SELECT", "WITH", "VALUES", "EXPLAIN"]);

const options = Type.Object({
  file: path({ description: "The database file.", exists: true }),
  maxRows: count({ description: "How many rows one call returns at most.", default: 100 }),
  maxBytes: count({
    description: "How many characters of rows one call returns at most, as JSON.",
    default: 20_000,
  }),
  maxTime: duration({ description: "After this time a query is stopped.", default: 10_000 }),
});

const input = Type.Object({
  sql: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description: "One SELECT, WITH, VALUES or EXPLAIN statement in SQLite's SQL.",
  }),
  params: Type.Optional(paramsInput),
});

const output = Type.Object({
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Type.Unknown())),
  note: Type.Optional(Type.String()),
});

/** Reads a SQLite database; nothing that a query says changes it or opens another file. */
export const sqliteQuery: ToolDefinition = defineTool({
  id: "sqlite-query",
  description: `Runs one query on a SQLite database and returns its rows.
Use it for facts that the database holds. Look first at what there is: SELECT name, sql FROM sqlite_schema; columns of one table: SELECT name, type FROM pragma_table_info('orders').
Do not use it to change anything, to open another file (ATTACH) or for PRAGMA statements: only SELECT, WITH, VALUES and EXPLAIN are run, one statement a call. Do not write values into the SQL: give them as params. Count and sum in SQL rather than fetching rows to count them.
It returns columns and rows, each row a list in the order of the columns; whole numbers beyond 2^53 come as text, blobs and very long texts are described. Where rows are left out, a note says so; use LIMIT and OFFSET. A fault comes as SQLite's own message.`,
  options,
  input,
  output,
  effect: "read",
  inject: { clock: Clock, projectRoot: ProjectRoot },
  create:
    ({ file, maxRows, maxBytes, maxTime }, { clock, projectRoot }) =>
    async ({ sql, params = [] }, { signal }) => {
      const statement = readStatement(sql);
      refuseOther(statement);
      checkParameters(statement, params);
      const { target } = await confine(projectRoot, shownPath(projectRoot, file));
      const { identifiers } = statement;
      const question = {
        file: target,
        sql,
        identifiers,
        params,
        isWriting: false,
        maxRows,
        maxBytes,
      };
      const answer = await askDatabase({ ...question, maxTimeMs: maxTime }, { clock, signal });
      if (answer.wide > 0) throw new ToolError("tool-failed", `Not shown: ${tooWide(answer.wide)}`);
      return shownRows(answer);
    },
});

function refuseOther({ words, hasMore }: ReturnType<typeof readStatement>): void {
  const [first = ""] = words;
  if (!reading.has(first)) {
    const message = `Not run: only ${[...reading].join(", ")} are; this begins with ${first === "" ? "nothing" : first}.`;
    throw new ToolError("tool-failed", message);
  }
  const explained = words[words[1] === "QUERY" && words[2] === "PLAN" ? 3 : 1] ?? "nothing";
  if (first === "EXPLAIN" && (explained === first || !reading.has(explained))) {
    const message = `Not run: EXPLAIN is for SELECT, WITH and VALUES here, not for ${explained}.`;
    throw new ToolError("tool-failed", message);
  }
  if (!hasMore) return;
  throw new ToolError("tool-failed", "Not run: there are several statements; send one a call.");
}
