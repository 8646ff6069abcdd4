/**
 * What the process of one question to a database runs: it reads the question from its input as JSON, and writes one answer.
 *
 * It is plain CommonJS in a text, so that it runs alike from sources, from a build and from a bundle. What it does in this order:
 * a second thread ends the process when its time is up, though nobody is left who could; the file is opened, for reading
 * read-only, unless a change that was cut short has to be undone first; functions that are not known to be harmless are refused; what SQLite may take is bounded, because blobs lie
 * outside the heap; rows are fetched one at a time (the library fetches a hundred) and no more than are shown; whole
 * numbers are bound as such (the library binds every number as a real one) and come back as text beyond 2^53.
 */
export const databaseProgram = `
"use strict";
const { Worker } = require("node:worker_threads");
const pieces = [];
process.stdin.on("data", (piece) => pieces.push(piece)).on("end", () => {
  const question = JSON.parse(Buffer.concat(pieces).toString("utf8"));
  const late = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), " + question.maxTimeMs + ")";
  new Worker(late, { eval: true }).unref();
  let answer;
  try {
    answer = ask(question);
  } catch (fault) {
    answer = { fault: String(fault.message), code: String(fault.code ?? "") };
  }
  process.stdout.write(JSON.stringify(answer), () => process.exit(0));
});
function ask(question) {
  const Database = require(question.library);
  const database = open(Database, question);
  refuseUnknown(database, question);
  const statement = database.prepare(question.sql);
  const values = bound(question.params);
  if (!statement.reader) {
    statement.run(values);
    return { columns: [], rows: [], left: 0, wide: 0, ...changes(database, question) };
  }
  const columns = statement.columns().map(({ name }) => name);
  const answer = { columns, ...rowsOf(statement.raw(true).iterate(values), question) };
  return { ...answer, ...changes(database, question) };
}
function open(Database, { url, isWriting }) {
  if (isWriting) return prepared(new Database(url + "?mode=rwc"), "foreign_keys = 1");
  const database = prepared(new Database(url + "?mode=ro"), "query_only = 1");
  try {
    database.prepare("SELECT 1 FROM sqlite_schema").all();
    return database;
  } catch (fault) {
    if (!/^SQLITE_READONLY/.test(fault.code)) throw fault;
    database.close();
    return prepared(new Database(url + "?mode=rw"), "query_only = 1");
  }
}
function prepared(database, first) {
  database.defaultSafeIntegers(true);
  database.exec("PRAGMA " + first + "; PRAGMA trusted_schema = 0; PRAGMA hard_heap_limit = 67108864; PRAGMA busy_timeout = 3000");
  return database;
}
function refuseUnknown(database, { identifiers, knownFunctions }) {
  const known = new Set(knownFunctions);
  const used = new Set(identifiers);
  const all = database.prepare("SELECT name FROM pragma_function_list UNION SELECT name FROM pragma_module_list UNION SELECT 'pragma_' || name FROM pragma_pragma_list").all();
  const refused = all.find(({ name }) => used.has(name.toLowerCase()) && !known.has(name.toLowerCase()));
  if (refused !== undefined) throw Object.assign(new Error(refused.name + " is not allowed here"), { code: "" });
}
function bound(params) {
  const one = (value) =>
    typeof value === "boolean" ? BigInt(value) : Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(params)) return params.map(one);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, one(value)]));
}
function rowsOf(fetching, { maxRows, maxBytes, isWriting }) {
  const rows = [];
  let bytes = 0;
  let left = 0;
  let wide = 0;
  fetching.nextRows = [undefined];
  for (;;) {
    fetching.nextRowIndex = 100;
    const { done, value } = fetching.next();
    if (done) return { rows, left, wide };
    const row = value.map(shown);
    const length = JSON.stringify(row).length;
    if (rows.length === 0 && length > maxBytes && wide === 0) wide = length;
    bytes += length;
    if (rows.length < maxRows && bytes <= maxBytes) rows.push(row);
    else left += 1;
    if (left > 0 && !isWriting) return { rows, left, wide };
  }
}
function shown(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "string" && value.length > 4000)
    return value.slice(0, 4000) + " [cut: it has " + value.length + " characters; use substr()]";
  if (!(value instanceof Uint8Array)) return value;
  const first = Buffer.from(value.subarray(0, 16)).toString("hex");
  return "[blob, " + value.length + " bytes" + (first === "" ? "]" : ": " + first + (value.length > 16 ? "...]" : "]"));
}
function changes(database, { isWriting }) {
  if (!isWriting) return {};
  const [count, rowId] = database.prepare("SELECT changes(), last_insert_rowid()").raw(true).all()[0];
  return { changes: Number(count), ...(rowId === 0n ? {} : { lastInsertRowid: shown(rowId) }) };
}
`;
