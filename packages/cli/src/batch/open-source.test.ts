import { join } from "node:path";
import type { JsonObject } from "@loopwright/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { tempFiles } from "../../test/temp-files.ts";
import { openSource } from "./open-source.ts";
import { type SourceRow, surveySource } from "./row-source.ts";

async function rowsOf(name: string, content: string | Uint8Array, delimiter?: string) {
  const source = await openSource(join(tempFiles({ [name]: content }), name), delimiter);
  const rows: SourceRow[] = [];
  for await (const row of source.rows()) rows.push(row);
  return { source, rows };
}

const values = (rows: readonly SourceRow[]): readonly (JsonObject | undefined)[] =>
  rows.map((row) => ("values" in row ? row.values : undefined));
const faults = (rows: readonly SourceRow[]): readonly string[] =>
  rows.flatMap((row) => ("fault" in row ? [`${row.row}: ${row.fault}`] : []));

describe("CSV", () => {
  test("with byte-order mark, CRLF, quotes, line breaks in cells and empty lines", async () => {
    const text = '\uFEFFid,text\r\n007,"a ""b""\r\nc, d"\r\n\r\n8,5" disk\r\n';
    const { source, rows } = await rowsOf("a.csv", text);
    expect(source).toMatchObject({ columns: ["id", "text"], isText: true });
    expect(values(rows)).toEqual([
      { id: "007", text: 'a "b"\r\nc, d' },
      { id: "8", text: '5" disk' },
    ]);
  });

  test.each([
    ["a;b\n1,5;2", undefined, { a: "1,5", b: "2" }],
    ["a\tb\n1;5\t2", undefined, { a: "1;5", b: "2" }],
    ['"a;x;y",b\n1;5,2', undefined, { "a;x;y": "1;5", b: "2" }],
    ["a^b\n1^2", "^", { a: "1", b: "2" }],
    ["a\tb\n1\t2", "tab", { a: "1", b: "2" }],
  ])(
    "takes the delimiter of the header, or the one that is given: %j",
    async (text, given, row) => {
      const { rows } = await rowsOf("a.csv", text, given);
      expect(values(rows)).toEqual([row]);
    },
  );

  test("a row with too many or too few cells is one bad row, and so is one that is not UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from("a,b\n1\n1,2,3\nx,"),
      Buffer.from([0xb0, 0xa1]),
      Buffer.from("\n4,5\n"),
    ]);
    const { rows } = await rowsOf("a.csv", bytes);
    expect(faults(rows)).toEqual([
      "1: it has 1 cell, and the header names 2 columns",
      "2: it has 3 cells, and the header names 2 columns",
      "3: it holds bytes that are not UTF-8",
    ]);
    expect(rows[3]).toEqual({ row: 4, values: { a: "4", b: "5" } });
  });

  test("a quote that is never closed spoils nothing before it", async () => {
    const { rows } = await rowsOf("a.csv", 'a,b\n1,2\n3,"4\n5,6\n');
    expect(rows[0]).toEqual({ row: 1, values: { a: "1", b: "2" } });
    expect(faults(rows)).toEqual([expect.stringMatching(/^2: a quote is never closed/u)]);
  });

  test.each([
    ["", /is empty; its first line must name the columns/u],
    ["a,b,a\n1,2,3\n", /names the column `a` twice/u],
    [Buffer.from("\uFEFFa,b\n", "utf16le"), /is UTF-16; save it as UTF-8/u],
    [Buffer.from([0xb0, 0xa1, 0x2c, 0x62, 0x0a]), /is not UTF-8; save it as UTF-8/u],
  ])("a file that can't be one is refused: %j", async (content, message) => {
    await expect(rowsOf("a.csv", content)).rejects.toThrow(message);
  });
});

describe("JSON Lines", () => {
  test("one object a line; a broken line is one bad row", async () => {
    const text = '\uFEFF{"a":1}\r\n\n{"a":\n[1]\n{"a":null,"b":"x"}';
    const { source, rows } = await rowsOf("a.jsonl", text);
    expect(source.columns).toBeUndefined();
    expect(values(rows)).toEqual([{ a: 1 }, undefined, undefined, { a: null, b: "x" }]);
    expect(faults(rows)).toEqual([
      expect.stringMatching(/^2: line 3 is no JSON/u),
      expect.stringMatching(/^3: line 4 is no object/u),
    ]);
    expect(await surveySource(source, Infinity)).toEqual({
      count: 4,
      badCount: 2,
      columns: ["a", "b"],
    });
  });

  test("bytes that are not UTF-8 are a bad row", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"a":2}\n'),
    ]);
    const { rows } = await rowsOf("a.ndjson", bytes);
    expect(faults(rows)).toEqual(["1: line 1 is not UTF-8"]);
    expect(rows[1]).toEqual({ row: 2, values: { a: 2 } });
  });
});

describe("JSON Lines of another kind", () => {
  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"b":{"x":1, "x" :2}}', "x"],
    [String.raw`{"a":1,"\u0061":2}`, "a"],
  ])("a key that stands twice makes a bad row: %s", async (text, key) => {
    const { rows } = await rowsOf(
      "a.jsonl",
      `${text}\n{"a":"\\"a\\": {","b":{"a":1},"c":[{"a":1},{"a":2}]}\n`,
    );
    expect(faults(rows)).toEqual([`1: line 1 has the key "${key}" twice; leave one`]);
    expect(rows).toHaveLength(2);
  });

  test.each(['[{"a":1},{"a":2}]\n', '[\n  {"a": 1},\n  {"a": 2}\n]\n'])(
    "a JSON array is told as one, with how to convert it: %j",
    async (text) => {
      await expect(rowsOf("a.jsonl", text)).rejects.toThrow(
        /is one JSON array, .*`jq -c "\.\[\]" a\.jsonl > rows\.jsonl`/u,
      );
    },
  );

  test("a first line that is an array by mistake is one bad row", async () => {
    const { rows } = await rowsOf("a.jsonl", '[1]\n{"a":2}\n');
    expect(faults(rows)).toEqual([expect.stringMatching(/^1: line 1 is no object/u)]);
  });
});

describe("Parquet", () => {
  test("an empty file is told as one", async () => {
    await expect(rowsOf("a.parquet", "")).rejects.toThrow(/a\.parquet is empty/u);
  });

  test("binary data is a bad row, and text beside it is not", async () => {
    const bytes = new Uint8Array([0x41, 0xff]);
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: "text", data: ["a", "b"], type: "STRING" },
        { name: "blob", data: [bytes, null], type: "BYTE_ARRAY", nullable: true },
      ],
    });
    const { rows } = await rowsOf("a.parquet", new Uint8Array(buffer));
    expect(faults(rows)).toEqual([
      "1: the column `blob` holds binary data; leave the column out of the file, or name those to be kept with --keep",
    ]);
    expect(rows[1]).toEqual({ row: 2, values: { text: "b", blob: null } });
  });

  test("whole numbers become numbers where they are safe, dates ISO text", async () => {
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: "text", data: ["你好", "b"], type: "STRING" },
        { name: "count", data: [7n, 9007199254740993n], type: "INT64" },
        { name: "at", data: [new Date("2026-01-02T03:04:05.000Z"), null], type: "TIMESTAMP" },
        { name: "ok", data: [true, false], type: "BOOLEAN" },
      ],
    });
    const { source, rows } = await rowsOf("a.parquet", new Uint8Array(buffer));
    expect(source.columns).toEqual(["text", "count", "at", "ok"]);
    expect(values(rows)).toEqual([
      { text: "你好", count: 7, at: "2026-01-02T03:04:05.000Z", ok: true },
      undefined,
    ]);
    expect(faults(rows)).toEqual([
      expect.stringMatching(/^2: .*`count` holds 9007199254740993, beyond what a number holds/u),
    ]);
  });

  test.each([
    [Number.NaN, "holds NaN, which is no number in JSON"],
    [Number.NEGATIVE_INFINITY, "holds -Infinity, which is no number in JSON"],
  ])("%s is named, and hurts no row that does not want its column", async (number, told) => {
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: "text", data: ["a"], type: "STRING" },
        { name: "score", data: [number], type: "DOUBLE" },
      ],
    });
    const { source, rows } = await rowsOf("a.parquet", new Uint8Array(buffer));
    expect(faults(rows)).toEqual([expect.stringContaining(told)]);
    const wanted: SourceRow[] = [];
    for await (const row of source.rows(["text", "other"])) wanted.push(row);
    expect(wanted).toEqual([{ row: 1, values: { text: "a" } }]);
    expect(await surveySource(source, Infinity, ["text"])).toMatchObject({ badCount: 0 });
    const none: SourceRow[] = [];
    for await (const row of source.rows([])) none.push(row);
    expect(none).toEqual([{ row: 1, values: {} }]);
  });

  test("rows of several groups come in their order", async () => {
    const data = Array.from({ length: 25 }, (_, index) => index);
    const columnData = [{ name: "n", data, type: "INT32" as const }];
    const buffer = parquetWriteBuffer({ columnData, rowGroupSize: 10 });
    const { rows } = await rowsOf("a.parquet", new Uint8Array(buffer));
    expect(rows).toEqual(data.map((n) => ({ row: n + 1, values: { n } })));
  });

  test("what can't be decoded is a bad row for each of its rows, and spoils no other group", async () => {
    const data = Array.from(
      { length: 20 },
      (_, index) => `text ${index} that is long enough to be seen`,
    );
    const columnData = [{ name: "t", data, type: "STRING" as const }];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 10 }));
    bytes.fill(0xff, 4, 60);
    const { rows } = await rowsOf("a.parquet", bytes);
    expect(rows).toHaveLength(20);
    expect(faults(rows)).toHaveLength(10);
    expect(rows[19]).toEqual({ row: 20, values: { t: data[19] } });
  });

  test("a file that is none is refused", async () => {
    await expect(rowsOf("a.parquet", "not at all")).rejects.toThrow(/can't be read as Parquet/u);
  });
});

test.each(["rows.xlsx", "rows"])(
  "an extension that nothing reads is told with those that are: %s",
  async (name) => {
    await expect(rowsOf(name, "")).rejects.toThrow(/\.csv, \.tsv, \.jsonl, \.ndjson, \.parquet/u);
  },
);

test("a folder is told as one", async () => {
  await expect(openSource(tempFiles())).rejects.toThrow(/--from .* is a folder/u);
});
