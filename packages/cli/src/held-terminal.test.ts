import { expect, test } from "vitest";
import { HeldTerminal } from "./held-terminal.ts";

function open(stream: { isTTY?: boolean; columns?: number } = {}, env = {}) {
  const written: string[] = [];
  const terminal = new HeldTerminal({ ...stream, write: (text) => written.push(text) }, env);
  return { terminal, written };
}

test("keeps what is printed until it is let out, in order", () => {
  const { terminal, written } = open({ isTTY: true });
  const release = terminal.hold();
  terminal.write("one\n");
  terminal.aside(() => written.push("aside"));
  terminal.write("two\n");
  expect(written).toEqual([]);
  release();
  expect(written).toEqual(["one\n", "aside", "two\n"]);
});

test("erases a live line before a person is asked, and only once", () => {
  const { terminal, written } = open({ isTTY: true });
  terminal.write("react 1/6");
  terminal.hold()();
  terminal.hold()();
  expect(written).toEqual(["react 1/6", "\r\u001B[2K"]);
});

test("erases nothing in a pipe", () => {
  const { terminal, written } = open();
  terminal.write("half a line");
  terminal.aside(() => written.push("aside"));
  expect(written).toEqual(["half a line", "aside"]);
});

test.each([
  [{ isTTY: true }, {}, true, true],
  [{ isTTY: true }, { NO_COLOR: "1" }, true, false],
  [{ isTTY: true }, { TERM: "dumb" }, false, false],
  [{}, {}, false, false],
  [{}, { FORCE_COLOR: "1" }, false, true],
  [{}, { FORCE_COLOR: "1", NO_COLOR: "1" }, false, false],
])("%j with %j: interactive %s, colours %s", (stream, env, isInteractive, hasColors) => {
  expect(open(stream, env).terminal).toMatchObject({ isInteractive, hasColors });
});
