import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ToolFunction } from "@loopwright/core/plugin";
import { testClock, tempFolder, toolContext } from "@loopwright/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { knownFunctions } from "./shared/sqlite/known-functions.ts";
import { readStatement } from "./shared/sqlite/read-statement.ts";
import { sqliteExecute } from "./sqlite-execute.ts";
import { sqliteQuery } from "./sqlite-query.ts";

interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly note?: string;
}

const library = createRequire(import.meta.url).resolve("libsql");

/** Runs SQL with the library itself, in a process of its own. */
function prepare(file: string, sql: string, ending = ""): void {
  const script = `const D = require(${JSON.stringify(library)}); const d = new D(${JSON.stringify(file)}); d.exec(${JSON.stringify(sql)});${ending}`;
  try {
    execFileSync(process.execPath, ["-e", script], { stdio: "ignore" });
  } catch (fault) {
    if (ending === "") throw fault;
  }
}

const projectRoot = tempFolder();
const file = join(projectRoot, "shop.db");
const clock = testClock();

beforeAll(() => {
  prepare(
    file,
    `create table orders(id integer primary key, customer text, total real, paid integer, receipt blob);
     insert into orders values (1, 'Ada', 12.5, 1, x'0102'), (2, '李雷', 3.0, 0, null), (9007199254740993, null, 1e999, 1, zeroblob(20));
     create table long(text text); insert into long values (replace(hex(zeroblob(3000)), '00', 'ab'));`,
  );
});

function query(given: object = {}) {
  const options = { file, maxRows: 100, maxBytes: 20_000, maxTime: 10_000, ...given };
  const call = sqliteQuery.create(
    options as never,
    { clock, projectRoot } as never,
  ) as ToolFunction<unknown, Answer>;
  return async (sql: string, params?: unknown, signal?: AbortSignal): Promise<Answer> =>
    call(
      { sql, ...(params === undefined ? {} : { params }) },
      toolContext(signal === undefined ? {} : { signal }),
    );
}

const endless =
  "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c";

/** The processes of questions under way, by what they were started with. */
function askers(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const isOwn = readFileSync(`/proc/${id}/stat`, "utf8").includes(`) R ${process.pid} `);
      return isOwn && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("hard_heap_limit");
    } catch {
      return false;
    }
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The message of a failure that a test waits for later. */
async function messageOf(pending: Promise<unknown>): Promise<string> {
  return pending.then(
    () => "it did not fail",
    (fault: Error) => fault.message,
  );
}

describe("sqlite-query", { timeout: 60_000 }, () => {
  it("returns columns and rows without loss", async () => {
    expect(await query()("select * from orders order by id")).toEqual({
      columns: ["id", "customer", "total", "paid", "receipt"],
      rows: [
        [1, "Ada", 12.5, 1, "[blob, 2 bytes: 0102]"],
        [2, "李雷", 3, 0, null],
        ["9007199254740993", null, "Infinity", 1, `[blob, 20 bytes: ${"00".repeat(16)}...]`],
      ],
    });
  });

  it("keeps columns of one name apart, and has columns where there are no rows", async () => {
    expect(await query()("select 1 as a, 2 as a")).toEqual({ columns: ["a", "a"], rows: [[1, 2]] });
    expect(await query()("select id from orders where 0")).toEqual({ columns: ["id"], rows: [] });
  });

  it("binds values by position and by name, whole numbers as such", async () => {
    const run = query();
    expect((await run("select typeof(?), ?, ?", [5, true, null])).rows).toEqual([
      ["integer", 1, null],
    ]);
    expect((await run("select typeof(?2), ?1", ["a", 1.5])).rows).toEqual([["real", "a"]]);
    const named = "select id from orders where customer = :name and total > @least";
    expect((await run(named, { name: "Ada", least: 10 })).rows).toEqual([[1]]);
    const injected = await run("select id from orders where customer = ?", ["' or 1 = 1 --"]);
    expect(injected.rows).toEqual([]);
    const big = await run("select customer, id from orders where id = ?", ["9007199254740993"]);
    expect(big.rows).toEqual([[null, "9007199254740993"]]);
  });

  it.each([
    ["select ?", undefined, /has 1 parameters \(\?\), `params` has 0 values/],
    ["select ?, ?", [1], /has 2 parameters/],
    ["select 1", [1], /has 0 parameters/],
    ["select :a", [1], /have names \(a\)/],
    ["select :a", {}, /no `a`/],
    ["select :name", { name: 1, nmae: 2 }, /no parameter `:nmae`; did you mean/],
    ["select ?", { a: 1 }, /without names; give `params` as a list/],
    ["select ?, :a", [1], /use one kind/],
    ["select ?5000", [1], /more than 999/],
  ])("refuses %s with %j", async (sql, params, message) => {
    await expect(query()(sql, params)).rejects.toMatchObject({
      family: "ToolError",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    "insert into orders(id) values (7)",
    "/* SELECT */ update orders set paid = 1",
    "delete from orders",
    "drop table orders",
    "attach 'other.db' as other",
    "-- select\nattach 'other.db' as other",
    "pragma journal_mode = wal",
    "pragma query_only = 0",
    "vacuum into 'copy.db'",
    "begin",
    "",
    "  ; ",
    "select 1; drop table orders",
    "select 1; attach 'other.db' as other; select 2",
    "select ';' ; -- over\n delete from orders",
  ])("runs nothing but one query: %s", async (sql) => {
    await expect(query()(sql)).rejects.toThrow(/^Not run: /);
  });

  it.each([
    "with x as (select 7 as id) insert into orders(id) select id from x",
    "with x as (select 1) delete from orders returning id",
  ])("changes nothing by a statement that begins like a query: %s", async (sql) => {
    const before = readFileSync(file);
    await expect(query()(sql)).rejects.toThrow(/readonly/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ["select nofunction(1)", /no such function: nofunction/],
    ["select * from nowhere", /no such table: nowhere.*SELECT name, sql FROM sqlite_schema/],
    ["selct 1", /begins with SELCT/],
    ["select from", /syntax error/],
    ["select * from pragma_query_only(0)", /not allowed here/],
  ])("tells the fault of %s", async (sql, message) => {
    await expect(query()(sql)).rejects.toThrow(message);
  });

  it.each([
    "select \"WriteFile\"/**/('written.txt', id) from orders",
    "select name from 'fsdir' where path = '/'",
    "select sha3_query('select writefile(''written.txt'', 1)')",
  ])("refuses what reaches beyond the database: %s", async (sql) => {
    await expect(query()(sql)).rejects.toThrow(/is not allowed here/);
    for (const folder of [process.cwd(), projectRoot])
      expect(existsSync(join(folder, "written.txt"))).toBe(false);
  });

  it("refuses all that the library has and nobody looked at", async () => {
    const sql = "select name from pragma_function_list union select name from pragma_module_list";
    const { rows } = await query({ maxRows: 1_000 })(sql);
    const known = new Set(knownFunctions);
    expect(rows.flat().filter((name) => !known.has(String(name)))).toEqual([
      "carray",
      "fsdir",
      "fts3_tokenizer",
      "fts3tokenize",
      "geopoly_debug",
      "last_rows_affected",
      "load_extension",
      "lsmode",
      "readfile",
      "sha3_query",
      "sqlite3mc_codec_data",
      "sqlite3mc_config",
      "sqlite3mc_config_table",
      "sqlite3mc_version",
      "sqlite_crypt",
      "sqlite_dbpage",
      "sqlite_log",
      "sqlite_stmt",
      "writefile",
    ]);
  });

  it("refuses it where the database itself says so", async () => {
    const trap = join(projectRoot, "trap.db");
    prepare(
      trap,
      "create view v as select readfile('/etc/hostname') as a, writefile('written.txt', 1) as b",
    );
    await expect(query({ file: trap })("select * from v")).rejects.toThrow(/unsafe use of/);
  });

  it("knows the usual functions", async () => {
    const sql =
      "select count(*), sum(total), group_concat(customer, ', '), round(avg(id)), date('2024-02-29', '+1 year'), json_extract('{\"a\": 5}', '$.a'), upper('x'), coalesce(null, 1), iif(1, 2, 3), length('readfile (x)'), row_number() over () from orders where id < 3";
    expect((await query()(sql)).rows).toEqual([
      [2, 15.5, "Ada, 李雷", 2, "2025-03-01", 5, "X", 1, 2, 12, 1],
    ]);
  });

  it("takes a semicolon and comments at the end", async () => {
    expect((await query()("select ';' as a; -- done\n ; /* over */")).rows).toEqual([[";"]]);
  });

  it("cuts rows and long texts, and says so", async () => {
    const many = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c";
    expect(await query({ maxRows: 3 })(many)).toEqual({
      columns: ["x"],
      rows: [[1], [2], [3]],
      note: "There are more rows than these 3.",
    });
    expect((await query({ maxBytes: 100 })(many)).rows.length).toBeLessThan(40);
    expect((await query()("select 1 union select 2")).note).toBeUndefined();
    const [[text] = []] = (await query()("select text from long")).rows;
    expect(text).toMatch(/^(?:ab){2000} \[cut: it has 6000 characters; use substr\(\)\]$/);
  });

  it("ends a query that takes too much memory", async () => {
    await expect(query()("select hex(zeroblob(90000000))")).rejects.toThrow(
      /out of memory.*ask for less/,
    );
  });

  it("refuses a row that alone is longer than may come back, and says how long it is", async () => {
    const wide = "select text as a, text as b, text as c from long";
    await expect(query({ maxBytes: 5_000 })(wide)).rejects.toThrow(
      /^Not shown: one row has 12\d{3} characters .*select fewer columns/,
    );
    expect((await query({ maxBytes: 20_000 })(wide)).rows).toHaveLength(1);
    const later = query({ maxBytes: 5_000 })("select 1, 2 union all select text, text from long");
    expect(await later).toMatchObject({
      rows: [[1, 2]],
      note: expect.stringContaining("more rows"),
    });
  });

  it("tells what a table holds, and not where the file lies", async () => {
    const names = (await query()("select name from pragma_table_info('orders')")).rows;
    expect(names.flat()).toEqual(["id", "customer", "total", "paid", "receipt"]);
    for (const name of ["pragma_database_list", '"Pragma_Database_List"', "pragma_temp_store"])
      await expect(query()(`select * from ${name}`)).rejects.toThrow(/is not allowed here/);
  });

  it.each([
    "pragma user_version = 7",
    "attach 'x.db' as x",
    "query plan vacuum",
    "explain select 1",
  ])("does not explain %s", async (sql) => {
    await expect(query()(`explain ${sql}`)).rejects.toThrow(/^Not run: EXPLAIN is for SELECT/);
  });

  it("explains queries", async () => {
    const run = query();
    expect((await run("explain query plan select * from orders")).rows).toHaveLength(1);
    expect((await run("explain with a as (select 1) select * from a")).columns).toContain("opcode");
  });

  it("fetches no more large rows than it shows", async () => {
    const sql =
      "with recursive c(x) as (select 1 union all select x + 1 from c) select zeroblob(9000000) from c";
    expect((await query({ maxRows: 2 })(sql)).rows).toHaveLength(2);
  });

  it("says what to do with text that is none", async () => {
    await expect(query()("select cast(x'ff' as text)")).rejects.toThrow(/not UTF-8.*hex\(\)/);
  });

  it("stops an endless query by the clock, and leaves no process", async () => {
    const ending = messageOf(query()(endless));
    await until(() => process.platform !== "linux" || askers().length === 1);
    await clock.advance(10_000);
    expect(await ending).toMatch(/took longer than 10 s/);
    await until(() => askers().length === 0);
    expect(clock.timers).toBe(0);
  });

  it("stops an endless query on an abort, while the host goes on", async () => {
    const listeners = process.listenerCount("exit");
    const abort = new AbortController();
    const ending = messageOf(query()(endless, [], abort.signal));
    await until(() => process.platform !== "linux" || askers().length === 1);
    expect((await query()("select 1")).rows).toEqual([[1]]);
    abort.abort(new Error("enough"));
    expect(await ending).toBe("enough");
    await until(() => askers().length === 0);
    await until(() => process.listenerCount("exit") === listeners);
  });

  it("waits for a writer, and reads what a writer left half done as it was before", async () => {
    const torn = join(projectRoot, "torn.db");
    prepare(
      torn,
      "create table t(a); insert into t values ('first'); pragma cache_size = 5; begin; with recursive c(x) as (select 1 union all select x + 1 from c limit 5000) insert into t select hex(randomblob(500)) from c",
      'process.kill(process.pid, "SIGKILL")',
    );
    expect(existsSync(`${torn}-journal`)).toBe(true);
    expect((await query({ file: torn })("select * from t")).rows).toEqual([["first"]]);
  });

  it("refuses what is no database, is missing, or lies elsewhere", async () => {
    const other = join(projectRoot, "notes.txt");
    writeFileSync(other, "no database ".repeat(100));
    await expect(query({ file: other })("select 1")).rejects.toThrow(/not a database/);
    const gone = join(projectRoot, "gone.db");
    await expect(query({ file: gone })("select 1")).rejects.toThrow(/gone\.db/);
    expect(existsSync(gone)).toBe(false);
    const away = join(tempFolder(), "away.db");
    prepare(away, "create table t(a)");
    symlinkSync(away, join(projectRoot, "link.db"));
    for (const place of [away, join(projectRoot, "link.db")])
      await expect(query({ file: place })("select 1")).rejects.toThrow(/outside/);
  });
});

describe("sqlite-execute", { timeout: 120_000 }, () => {
  const shop = join(projectRoot, "inner", "new.db");
  const call = sqliteExecute.create(
    { file: shop, maxRows: 2, maxBytes: 20_000, maxTime: 10_000 } as never,
    { clock, projectRoot } as never,
  ) as ToolFunction<unknown, unknown>;
  const execute = async (sql: string, params: unknown = []) => call({ sql, params }, toolContext());
  const read = query({ file: shop });

  it("makes the file, changes it by one statement, and says what it changed", async () => {
    rmSync(join(projectRoot, "inner"), { recursive: true, force: true });
    expect(await execute("create table t(a integer primary key, b text unique)")).toEqual({
      changes: 0,
    });
    expect(await execute("insert into t(b) values (?), (?)", ["x", "y"])).toEqual({
      changes: 2,
      lastInsertRowid: 2,
    });
    expect(await execute("insert into t values (?, 'big')", ["9007199254740993"])).toEqual({
      changes: 1,
      lastInsertRowid: "9007199254740993",
    });
    expect(await execute("update t set b = b || '!' where a < 3 returning b")).toEqual({
      changes: 2,
      columns: ["b"],
      rows: [["x!"], ["y!"]],
    });
    expect(await execute("update t set b = b || '?' returning b")).toMatchObject({
      changes: 3,
      rows: [["x!?"], ["y!?"]],
      note: "There are more rows than these 2.",
    });
    expect((await read("select b from t order by a")).rows).toEqual([["x!?"], ["y!?"], ["big?"]]);
    expect(await execute("delete from t where 0")).toEqual({ changes: 0 });
  });

  it("makes triggers, and none that reach beyond the database", async () => {
    await execute("create table log(text)");
    const head = "create trigger logged after insert on log begin";
    for (const one of ["select writefile('written.txt', new.text)", "select readfile(new.text)"])
      await expect(execute(`${head} ${one}; end`)).rejects.toThrow(/not allowed here/);
    await execute(`${head} update log set text = upper(text); end`);
    await execute(
      "create trigger kept after delete on log begin select case when 1 then 2 end; select 3; end; -- over",
    );
    await execute("insert into log values ('a')");
    expect((await read("select text from log")).rows).toEqual([["A"]]);
    await expect(execute("insert into log values (readfile('/etc/hostname'))")).rejects.toThrow(
      /not allowed here/,
    );
  });

  it("does not show a row that is too long, and says so of a change that is done", async () => {
    await execute("create table wide(a, b, c, d, e, f)");
    const long = "x".repeat(4_000);
    const values = [long, long, long, long, long, long];
    const done = await execute("insert into wide values (?, ?, ?, ?, ?, ?) returning *", values);
    expect(done).toMatchObject({
      changes: 1,
      rows: [],
      note: expect.stringMatching(/^Not shown: one row has 24\d{3} characters/),
    });
    expect((await read("select count(*) from wide")).rows).toEqual([[1]]);
  });

  it("does a statement wholly or not at all", async () => {
    await execute("create table u(a integer primary key)");
    await expect(execute("insert into u values (1), (2), (1)")).rejects.toThrow(
      /UNIQUE constraint failed: u\.a \(SQLITE_CONSTRAINT_PRIMARYKEY\)/,
    );
    expect((await read("select count(*) from u")).rows).toEqual([[0]]);
  });

  it.each([
    "select 1",
    "attach 'other.db' as other",
    "vacuum",
    "vacuum into 'copy.db'",
    "pragma user_version = 5",
    "begin",
    "create temp table x(a)",
    "create function f language wasm as ''",
    "drop table t; drop table u",
    "drop trigger logged; delete from log",
    "create trigger z after insert on log begin select case when 1 then 2 end; end; delete from log",
    "create trigger z after insert on log begin select 1; end; end; delete from log",
    "create table temp.x(a)",
    'create view /**/ if not exists "TEMP" . x as select 1',
    "create index temp.i on log(text)",
    "constructor",
    "",
  ])("runs nothing else: %s", async (sql) => {
    await expect(execute(sql)).rejects.toThrow(/^Not run: /);
  });

  it("is asked about before it acts", () => {
    expect([sqliteQuery.effect, sqliteExecute.effect]).toEqual(["read", "once"]);
  });
});

describe("the first look at a statement", () => {
  it.each([
    "select readfile('x')",
    "select READFILE ('x')",
    "select \"readfile\"('x')",
    "select [ReadFile]('x')",
    "select `readfile`/**/('x')",
    "select 1readfile('x')",
    "select 'a', readfile\n--\n('x')",
    "select 'it''s' || readfile('x')",
    'select "a""b", readfile(\'x\')',
    "select /* ' */ readfile('x') /* ' */",
    "select '/*', readfile('x'), '*/'",
    "select '--', readfile('x')",
    "select * from 'readfile'",
  ])("sees the name in %s", (sql) => {
    expect(readStatement(sql).identifiers).toContain("readfile");
  });

  it("sees no parameter and no end in texts, quoted names and comments", () => {
    expect(
      readStatement(`select '?;''?' , "a;?", [b;?], \`c;?\` -- ?;\n, /* ?; */ ?, ?7, ?`),
    ).toEqual({
      words: ["SELECT"],
      hasMore: false,
      identifiers: new Set(["select", "?;'?", "a;?", "b;?", "c;?"]),
      names: new Set(),
      positions: 8,
    });
  });

  it("reads texts that never end without waiting for their end", () => {
    for (const sign of ["'", '"', "`", "[", "/*", "/", "-", "--", "?", ":", "a", "1", ";", " "])
      for (const text of [sign.repeat(100_000), `${sign}${`${sign}x`.repeat(50_000)}`])
        expect(readStatement(text).words.length).toBeLessThan(5);
  });
});
