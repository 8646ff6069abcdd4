import type { StubReply } from "./stub-reply.ts";

/** A block of a message's content, as the protocol has it. */
export type StubBlock = Readonly<Record<string, unknown>>;

/** What the stub server answers; the fields that only this protocol has beside those of any stub. */
export interface StubMessage extends StubReply {
  /** Signs the reasoning. */
  readonly signature?: string;
  /** The content as it stands, in place of what is made of the fields. */
  readonly blocks?: readonly StubBlock[];
}

const USAGE = { input_tokens: 10, output_tokens: 5 };

/** A whole message that says what the reply says. */
export function toMessage(reply: StubMessage): StubBlock {
  return {
    id: "msg_stub",
    type: "message",
    role: "assistant",
    model: "stub",
    content: blocksOf(reply),
    ...endingOf(reply),
    usage: { ...USAGE, ...reply.usage },
  };
}

/** The same as the events of a stream: a piece for every word, arguments and signatures in two halves. */
export function toEvents(reply: StubMessage): readonly StubBlock[] {
  const usage = { ...USAGE, ...reply.usage };
  const message = { ...toMessage(reply), content: [], stop_reason: null };
  return [
    { type: "message_start", message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    { type: "ping" },
    ...blocksOf(reply).flatMap(toBlockEvents),
    {
      type: "message_delta",
      delta: endingOf(reply),
      usage: { output_tokens: usage.output_tokens },
    },
    { type: "message_stop" },
  ];
}

/** Events as they are sent. */
export function toEventText(event: StubBlock): string {
  return `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`;
}

function blocksOf(reply: StubMessage): readonly StubBlock[] {
  const { text, reasoning, signature = "c2ln", calls = [] } = reply;
  return (
    reply.blocks ?? [
      ...(reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature }]),
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, arguments: said }, index) => ({
        type: "tool_use",
        id: id ?? `toolu_stub_${index}`,
        name,
        input: JSON.parse(said) as unknown,
      })),
    ]
  );
}

function toBlockEvents(block: StubBlock, index: number): readonly StubBlock[] {
  const begin = (start: StubBlock): StubBlock => ({
    type: "content_block_start",
    index,
    content_block: start,
  });
  const piece = (delta: StubBlock): StubBlock => ({ type: "content_block_delta", index, delta });
  const end = { type: "content_block_stop", index };
  switch (block["type"]) {
    case "text": {
      const words = wordsOf(block["text"]).map((text) => piece({ type: "text_delta", text }));
      return [begin({ ...block, text: "" }), ...words, end];
    }
    case "thinking": {
      const words = wordsOf(block["thinking"]);
      return [
        begin({ ...block, thinking: "", signature: "" }),
        ...words.map((thinking) => piece({ type: "thinking_delta", thinking })),
        ...halvesOf(block["signature"]).map((signature) =>
          piece({ type: "signature_delta", signature }),
        ),
        end,
      ];
    }
    case "tool_use": {
      const halves = halvesOf(JSON.stringify(block["input"]));
      const pieces = ["", ...halves].map((said) =>
        piece({ type: "input_json_delta", partial_json: said }),
      );
      return [begin({ ...block, input: {} }), ...pieces, end];
    }
    default:
      return [begin(block), end];
  }
}

function endingOf({ finishReason, refusal, calls, blocks }: StubMessage): StubBlock {
  const hasCalls = calls !== undefined || blocks?.some(({ type }) => type === "tool_use") === true;
  const usual = refusal === undefined ? (hasCalls ? "tool_use" : "end_turn") : "refusal";
  const details = { type: "refusal", category: null, explanation: refusal ?? null };
  return {
    stop_reason: finishReason ?? usual,
    stop_sequence: null,
    stop_details: refusal === undefined ? null : details,
  };
}

function wordsOf(text: unknown): readonly string[] {
  return String(text).match(/\S+\s*|\s+/g) ?? [];
}

function halvesOf(text: unknown): readonly string[] {
  const whole = String(text);
  const half = Math.ceil(whole.length / 2);
  return [whole.slice(0, half), whole.slice(half)];
}
