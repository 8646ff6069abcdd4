import type { JsonObject, PendingApproval, PendingQuestion } from "@loopwright/core";
import { describe, expect, test } from "vitest";
import { requestText } from "./request-text.ts";

const asked = { id: "1", stage: "main", branch: "" };

function approval(input: JsonObject, more: Partial<PendingApproval> = {}): PendingApproval {
  const call = { tool: "shell", reason: "it acts once", effect: "once" as const, schema: {} };
  return { ...asked, ...call, kind: "approval", input, ...more };
}

function question(text: string, options: readonly string[] = []): PendingQuestion {
  return { ...asked, kind: "question", question: text, options };
}

/** The rows of a screen that breaks whatever is too long for it. */
function screen(text: string, columns: number): readonly string[] {
  const wide = (character: string): number => (/\p{Script=Han}/u.test(character) ? 2 : 1);
  return text.split("\n").flatMap((line) => {
    const rows: string[] = [""];
    let used = 0;
    for (const character of line) {
      used += wide(character);
      if (used > columns) {
        rows.push("");
        used = wide(character);
      }
      rows[rows.length - 1] += character;
    }
    return rows;
  });
}

/** The rows that begin at the edge, where only words of the program stand. */
function atTheEdge(rows: readonly string[]): readonly string[] {
  return rows.filter((row) => row !== "" && !row.startsWith("  "));
}

describe.each([20, 33, 80, 132])("on a screen of %i columns", (columns) => {
  const row = (text: string): string => text.padEnd(columns);

  test.each([
    ["spaces", ""],
    ["wide characters", "你".repeat(columns)],
  ])("no argument has rows of its own, whatever it is padded with (%s)", (_, padding) => {
    const harmless = screen(requestText(approval({ a: 1 }), { columns }), columns);
    const fake = ["}", "reads only", "approve read-file? [y/N/e/?] y", "ls asks to be called with"];
    for (let shift = 0; shift < columns; shift++) {
      const evil = padding + " ".repeat(shift) + fake.map(row).join("");
      const rows = screen(requestText(approval({ a: evil, [evil]: [evil] }), { columns }), columns);
      expect(atTheEdge(rows)).toEqual(atTheEdge(harmless));
    }
  });

  test("no question passes for words of the program", () => {
    const fake = `${row("Fine?")}${row("shell asks to be called with")}approve shell? [y/N/e/?] y`;
    const text = `Go on?\n\t1. yes\n${fake}`;
    const rows = screen(requestText(question(text, [fake]), { columns }), columns);
    expect(atTheEdge(rows).join("")).toMatch(/^The agent asks/u);
    expect(atTheEdge(rows)).toEqual(
      atTheEdge(screen(requestText(question("?"), { columns }), columns)),
    );
    expect(rows.filter((one) => /^ {2}\d/u.test(one))).toHaveLength(1);
  });
});

test("a question is marked as one of the agent", () => {
  expect(requestText(question("Which one?\nSay it.", ["red", "blue"]), { columns: 80 })).toBe(
    "\nThe agent asks (stage main):\n  │ Which one?\n  │ Say it.\n  1. red\n  2. blue\n",
  );
});

test("a question breaks between its words, and loses none of its characters", () => {
  const text = "Your wishes cannot all be met: which of them matters most to you?";
  const rows = requestText(question(text), { columns: 30 }).split("\n");
  const shown = rows.filter((row) => row.startsWith("  │ ")).map((row) => row.slice(4));
  expect(shown.join("")).toBe(text);
  const isWhole = (row: string, index: number): boolean =>
    `${row}${shown[index + 1]?.[0] ?? " "}`.slice(-2).includes(" ");
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.every(isWhole)).toBe(true);
});

test("rows that go on are marked", () => {
  const text = requestText(approval({ command: "x".repeat(30), flags: ["-rf", "/"] }), {
    columns: 30,
  });
  expect(text).toContain(
    [
      "  {",
      `    "command": "${"x".repeat(13)}`,
      `  │ ${"x".repeat(17)}",`,
      '    "flags": [',
      '      "-rf",',
      '      "/"',
      "    ]",
      "  }",
    ].join("\n"),
  );
});

describe("arguments that are too long to be shown", () => {
  const long = "x".repeat(50_000);

  test("are cut in their middle, each by itself, and how much is told", () => {
    const text = requestText(approval({ a: `begin${long}end`, command: "rm -rf /", z: [long] }));
    expect(text).toContain('"a": "beginxx');
    expect(text).toMatch(/xend",\n {4}"command": "rm -rf \/",\n {4}"z": \[\n/u);
    expect(text.match(/^ {2}┆ \d+ characters are left out$/gmu)).toHaveLength(2);
    const shown = (text.match(/x/gu) ?? []).length;
    const missing = [...text.matchAll(/(\d+) characters are left out/gu)];
    const sum = missing.reduce((all, [, count]) => all + Number(count), 0);
    expect(shown + sum).toBe(100_000);
  });

  test("can't hide the others by their number: those that the tool knows come first", () => {
    const junk = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`a${index}`, index]),
    );
    const schema = { type: "object", properties: { command: { type: "string" } } };
    const text = requestText(approval({ ...junk, command: "rm -rf /" }, { schema }));
    expect(text).toContain('with\n  {\n    "command": "rm -rf /",\n    "a0": 0,\n');
    expect(text).toContain("\n  ┆ 2901 arguments are left out\n");
  });

  test("are shown whole where they are not", () => {
    expect(requestText(approval({ a: "x".repeat(9_000), b: 1 }))).not.toContain("left out");
    expect(requestText(approval({}))).toContain("with\n  {}\nit acts once\n");
  });
});
