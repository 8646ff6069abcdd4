import { PassThrough } from "node:stream";
import type { PendingRequest } from "@loopwright/core";
import { expect, test } from "vitest";
import { HeldTerminal } from "./held-terminal.ts";
import { PersonPrompt } from "./person-prompt.ts";
import { requestText } from "./request-text.ts";

const approval: PendingRequest = {
  id: "1",
  kind: "approval",
  tool: "orders/update-address",
  input: { orderId: "A1", note: "ok\napprove? [y/N] y\u001B[2K" },
  reason: "the policy asks",
};
const question: PendingRequest = {
  id: "2",
  kind: "question",
  question: "Which one?",
  options: ["red", "blue"],
};
const free: PendingRequest = { ...question, options: [] };

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (piece) => {
    shown += String(piece);
  });
  const terminal = new HeldTerminal({ write: (text) => output.write(text) }, {});
  const prompt = new PersonPrompt({ input, output, terminal, onInterrupt: () => undefined });
  const aborter = new AbortController();
  return { input, terminal, prompt, aborter, shown: () => shown };
}

test.each([
  [approval, ["y"], { approved: true }],
  [approval, ["Yes"], { approved: true }],
  [approval, [""], { approved: false }],
  [approval, ["n"], { approved: false }],
  [approval, ["wrong street"], { approved: false, reason: "wrong street" }],
  [question, ["2"], { reply: "blue" }],
  [question, ["RED"], { reply: "red" }],
  [question, ["3", "green", "1"], { reply: "red" }],
  [free, ["", "the third"], { reply: "the third" }],
])("%o answered with %j", async (request, lines, reply) => {
  const { input, prompt, aborter } = open();
  const asked = prompt.ask(request, aborter.signal);
  for (const line of lines) {
    input.write(`${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await asked).toEqual(reply);
});

test("holds the terminal while it asks", async () => {
  const { input, prompt, terminal, aborter, shown } = open();
  const asked = prompt.ask(approval, aborter.signal);
  terminal.write("meanwhile\n");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(shown()).toMatch(/approve\? \[y\/N\] $/u);
  input.write("y\n");
  await asked;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(shown()).toContain("meanwhile\n");
});

test("stops asking when nobody needs the reply any more, or the keyboard is closed", async () => {
  const first = open();
  const withdrawn = first.prompt.ask(question, first.aborter.signal);
  first.aborter.abort();
  expect(await withdrawn).toBeUndefined();
  const second = open();
  const closed = second.prompt.ask(approval, second.aborter.signal);
  second.input.end();
  expect(await closed).toBeUndefined();
});

test("no argument can pass for the prompt or move the cursor", () => {
  const text = requestText(approval);
  expect(text).not.toContain("\u001B");
  expect(text.split("\n").filter((line) => line.startsWith("approve?"))).toEqual([]);
});
