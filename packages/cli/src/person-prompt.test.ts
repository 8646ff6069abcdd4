import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type {
  PendingApproval,
  PendingQuestion,
  PendingRequest,
  PersonReply,
} from "@loopwright/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HeldTerminal } from "./held-terminal.ts";
import { PersonPrompt } from "./person-prompt.ts";
import { requestText } from "./request-text.ts";

const approval: PendingApproval = {
  id: "1",
  kind: "approval",
  tool: "orders/update-address",
  input: { orderId: "A1", note: "ok\napprove? [y/N] y\u001B[2K" },
  reason: "the policy asks",
  effect: "once",
  schema: {},
  stage: "react",
  branch: "",
};
const question: PendingQuestion = {
  id: "2",
  kind: "question",
  question: "Which one?",
  options: ["red", "blue"],
  stage: "ask",
  branch: "",
};
const free: PendingQuestion = { ...question, options: [] };

/** Replies that a run would not take. */
function refusing({ input }: { readonly input?: unknown }): readonly string[] {
  return JSON.stringify({ input }).includes("gold") ? ["no gold\u001B[2J"] : [];
}

function open(options: { readonly isTerminal?: boolean; readonly columns?: number } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const modes: boolean[] = [];
  if (options.isTerminal === true) {
    Object.assign(output, { isTTY: true, columns: options.columns ?? 80 });
    Object.assign(input, { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  }
  let shown = "";
  output.on("data", (piece) => {
    shown += String(piece);
  });
  const interrupted: true[] = [];
  const terminal = new HeldTerminal({ write: (text) => output.write(text) }, {});
  const onInterrupt = (): void => void interrupted.push(true);
  const prompt = new PersonPrompt({ input, output, terminal, onInterrupt });
  const aborter = new AbortController();
  const ask = (request: PendingRequest, others = 0): Promise<PersonReply | undefined> =>
    prompt.ask({
      request,
      others,
      signal: aborter.signal,
      problemsWith: (reply) => refusing(reply as { readonly input?: unknown }),
    });
  return { input, terminal, ask, aborter, interrupted, modes, shown: () => shown };
}

/** Types each text once the prompt before it stands on the screen. */
async function type(
  { input, shown }: Pick<ReturnType<typeof open>, "input" | "shown">,
  ...lines: readonly string[]
): Promise<void> {
  for (const line of lines) {
    const before = shown().length;
    input.write(line);
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await vi.waitFor(() => expect(shown().length).toBeGreaterThan(before));
  }
}

const prompted = (shown: () => string): Promise<void> =>
  vi.waitFor(() => expect(shown()).toMatch(/\[y\/N\/e\/\?\] (?:\W\[\d*G)?$/u));

const EDITED = { approved: true, input: { orderId: "B2" } };

test.each([
  [approval, ["y"], { approved: true }],
  [approval, ["Yes"], { approved: true }],
  [approval, [""], { approved: false }],
  [approval, ["n"], { approved: false }],
  [approval, ["wrong street"], { approved: false, reason: "wrong street" }],
  [approval, ["n wrong street"], { approved: false, reason: "wrong street" }],
  [approval, ["No, wrong street"], { approved: false, reason: "wrong street" }],
  [approval, ["now or never"], { approved: false, reason: "now or never" }],
  [approval, ["?", "help", "y"], { approved: true }],
  [approval, ['{"orderId":"B2"}'], { approved: true, input: { orderId: "B2" } }],
  [approval, ['{"orderId":', '{"orderId":"gold"}', "y"], { approved: true }],
  [approval, ["e", "[1", '{"orderId":"gold"}', '{"orderId":"B2"}'], EDITED],
  [approval, ["edit", "", "n"], { approved: false }],
  [question, ["2"], { reply: "blue" }],
  [question, ["RED"], { reply: "red" }],
  [question, ["3", "green", "1"], { reply: "red" }],
  [free, ["", "the third"], { reply: "the third" }],
])("%o answered with %j", async (request, lines, reply) => {
  const { input, ask } = open();
  const asked = ask(request);
  for (const line of lines) {
    input.write(`${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await asked).toEqual(reply);
});

test("holds the terminal while it asks", async () => {
  const { input, ask, terminal, shown } = open();
  const asked = ask(approval);
  terminal.write("meanwhile\n");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(shown()).toMatch(/approve orders\/update-address\? \[y\/N\/e\/\?\] $/u);
  input.write("y\n");
  await asked;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(shown()).toContain("meanwhile\n");
});

test("stops asking when nobody needs the reply any more, or the keyboard is closed", async () => {
  const first = open();
  const withdrawn = first.ask(question);
  first.aborter.abort();
  expect(await withdrawn).toBeUndefined();
  const second = open();
  const closed = second.ask(approval);
  second.input.end();
  expect(await closed).toBeUndefined();
});

test("no argument can pass for the prompt or move the cursor", () => {
  const text = requestText(approval);
  expect(text).not.toContain("\u001B");
  expect(text.split("\n").filter((line) => line.startsWith("approve?"))).toEqual([]);
});

describe("on a terminal", () => {
  afterEach(() => void vi.unstubAllEnvs());

  test("that can't go back, the arguments are typed whole", async () => {
    vi.stubEnv("TERM", "dumb");
    const screen = open({ isTerminal: true });
    const asked = screen.ask(approval);
    await prompted(screen.shown);
    await type(screen, "e\r");
    await vi.waitFor(() => expect(screen.shown()).toMatch(/arguments: $/u));
    await type(screen, '{"orderId":"B2"}\r');
    expect(await asked).toEqual(EDITED);
  });

  test("the arguments stand on one line to be changed, and what is wrong with them is told", async () => {
    vi.stubEnv("TERM", "xterm");
    const screen = open({ isTerminal: true, columns: 30 });
    const asked = screen.ask({ ...approval, input: { item: "nuts\u202E\u009B" } }, 2);
    await prompted(screen.shown);
    expect(screen.shown()).toContain("2 more wait\n");
    await type(screen, "e\r");
    await vi.waitFor(() => expect(screen.shown()).toContain("arguments: "));
    await vi.waitFor(() => expect(screen.shown()).toContain('\\u202e\\u009b"}'));
    // Back over `"}` and both escapes, one key after the other until they are gone.
    await vi.waitFor(
      () => {
        screen.input.write("\u007F");
        const plain = stripVTControlCharacters(screen.shown());
        expect(plain.endsWith('{"item":"nuts')).toBe(true);
      },
      { timeout: 5_000, interval: 20 },
    );
    await type(screen, 'gold"}\r');
    await vi.waitFor(() =>
      expect(screen.shown()).toContain("  no gold\\u001b[2J\r\n".replace("\r", "")),
    );
    await type(screen, "\u0001\u000B", '{"item":"bolts"}\r');
    expect(await asked).toEqual({ approved: true, input: { item: "bolts" } });
    expect(screen.shown()).not.toMatch(/\u202E|\u009B/u);
  });

  test("what was typed before the question is no reply to it, but Ctrl-C among it counts", async () => {
    const screen = open({ isTerminal: true });
    screen.input.write("y\r\u0003y\r");
    const asked = screen.ask(approval);
    await prompted(screen.shown);
    expect(screen.interrupted).toHaveLength(1);
    expect(screen.modes.slice(0, 2)).toEqual([true, false]);
    await type(screen, "n\r");
    expect(await asked).toEqual({ approved: false });
  });

  test("Ctrl-C at the prompt is passed on; Ctrl-D replies nothing", async () => {
    const screen = open({ isTerminal: true });
    const asked = screen.ask(approval);
    await prompted(screen.shown);
    screen.input.write("\u0003");
    await vi.waitFor(() => expect(screen.interrupted).toHaveLength(1));
    screen.input.write("\u0004");
    expect(await asked).toBeUndefined();
  });
});

test("says what the call does, where it waits and until when", () => {
  const expiresAt = Date.now() + 3 * 86_400_000;
  const text = requestText(
    { ...approval, branch: "item:2", expiresAt },
    { others: 1, columns: 120 },
  );
  expect(text).toMatch(
    /\(acts, and can't be taken back · stage react · branch item:2 · no after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\)\n1 more waits\n$/u,
  );
});
