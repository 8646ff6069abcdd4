/** A CSV file as rows of texts by column, or what is wrong and where; lines and columns count from 1. */
export type ParsedCsv =
  | { readonly ok: true; readonly rows: readonly Readonly<Record<string, string>>[] }
  | {
      readonly ok: false;
      readonly line: number;
      readonly column: number;
      readonly message: string;
      readonly suggestion?: string;
    };

interface Row {
  readonly line: number;
  readonly values: readonly string[];
}

/** Reads comma-separated values by RFC 4180 in linear time: the first row names the columns, each other row is a map of texts; empty lines are left out. */
export function parseCsv(text: string): ParsedCsv {
  const reader = new CsvReader(text);
  const header = reader.next();
  if (header === undefined)
    return (
      reader.fault ??
      fault(
        1,
        1,
        "the file has no row of names",
        "write the names of the columns into the first row",
      )
    );
  const names = header.values.map((name) => name.trim());
  const wrong = faultOfNames(names, header.line);
  if (wrong !== undefined) return wrong;
  const rows: Readonly<Record<string, string>>[] = [];
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    if (row.values.length !== names.length) {
      const message = `this row has ${row.values.length} values; the first row names ${names.length} columns`;
      return fault(row.line, 1, message, 'a value that holds a comma goes into quotes: "a, b"');
    }
    rows.push(Object.fromEntries(row.values.map((value, index) => [names[index] ?? "", value])));
  }
  return reader.fault ?? { ok: true, rows };
}

function faultOfNames(names: readonly string[], line: number): ParsedCsv | undefined {
  for (const [index, name] of names.entries()) {
    if (name === "")
      return fault(line, 1, `column ${index + 1} has no name`, "name it in the first row");
    if (name === "__proto__")
      return fault(line, 1, "`__proto__` cannot name a column", "choose another name");
    if (names.indexOf(name) < index)
      return fault(line, 1, `two columns are called \`${name}\``, "rename one of them");
  }
  return undefined;
}

function fault(line: number, column: number, message: string, suggestion?: string): ParsedCsv {
  return {
    ok: false,
    line,
    column,
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

class CsvReader {
  fault: ParsedCsv | undefined;
  readonly #text: string;
  #position = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next row that is no empty line; undefined at the end or at a fault. */
  next(): Row | undefined {
    this.#skipEmptyLines();
    if (this.#position >= this.#text.length) return undefined;
    const line = this.#line;
    const values: string[] = [];
    for (;;) {
      const value = this.#text[this.#position] === '"' ? this.#quoted() : this.#plain();
      if (value === undefined) return undefined;
      values.push(value);
      if (this.#text[this.#position] !== ",") break;
      this.#position += 1;
    }
    this.#endLine();
    return { line, values };
  }

  #skipEmptyLines(): void {
    while (/[\r\n]/.test(this.#text[this.#position] ?? "")) this.#endLine();
  }

  #endLine(): void {
    if (this.#text[this.#position] === "\r") this.#position += 1;
    if (this.#text[this.#position] !== "\n") return;
    this.#position += 1;
    this.#line += 1;
    this.#lineStart = this.#position;
  }

  #plain(): string | undefined {
    const start = this.#position;
    while (
      this.#position < this.#text.length &&
      !/[,\r\n]/.test(this.#text[this.#position] ?? "")
    ) {
      if (this.#text[this.#position] === '"')
        return this.#refuse(
          "a quote stands inside a value that does not begin with one",
          'write the whole value in quotes, and each quote in it twice: "a ""b"""',
        );
      this.#position += 1;
    }
    return this.#text.slice(start, this.#position);
  }

  #quoted(): string | undefined {
    const opening = { line: this.#line, column: this.#position - this.#lineStart + 1 };
    const pieces: string[] = [];
    let start = this.#position + 1;
    for (;;) {
      const end = this.#text.indexOf('"', start);
      if (end === -1) {
        this.fault = fault(
          opening.line,
          opening.column,
          "this quote is never closed",
          'write `"` at the end of the value; a quote inside is written twice',
        );
        return undefined;
      }
      pieces.push(this.#text.slice(start, end));
      this.#countLines(start, end);
      this.#position = end + 1;
      if (this.#text[this.#position] !== '"') break;
      pieces.push('"');
      start = this.#position + 1;
    }
    const after = this.#text[this.#position] ?? "\n";
    return /[,\r\n]/.test(after)
      ? pieces.join("")
      : this.#refuse(
          "something follows the closing quote of a value",
          "write a quote inside a quoted value twice",
        );
  }

  #countLines(from: number, to: number): void {
    for (let at = this.#text.indexOf("\n", from); at !== -1 && at < to; ) {
      this.#line += 1;
      this.#lineStart = at + 1;
      at = this.#text.indexOf("\n", at + 1);
    }
  }

  #refuse(message: string, suggestion: string): undefined {
    this.fault = fault(this.#line, this.#position - this.#lineStart + 1, message, suggestion);
  }
}
