import fc from "fast-check";
import { expect, it } from "vitest";
import { fromMessage } from "../../../anthropic/src/anthropic/from-message.ts";
import { MessageParts } from "../../../anthropic/src/anthropic/message-parts.ts";
import { type StubMessage, toEvents, toMessage } from "./anthropic-wire.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const block = fc.oneof(
  text.map((said) => ({ type: "text", text: said })),
  fc.tuple(text, text).map(([thinking, signature]) => ({ type: "thinking", thinking, signature })),
  text.map((data) => ({ type: "redacted_thinking", data })),
  fc
    .tuple(fc.uuid(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }))
    .map(([id, input]) => ({ type: "tool_use", id, name: "f", input })),
);

it("streams what it says whole", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
      const reply: StubMessage = { blocks };
      const parts = new MessageParts();
      for (const event of toEvents(reply)) parts.add(event);
      const whole = fromMessage(JSON.parse(JSON.stringify(toMessage(reply))) as unknown);
      expect(parts.finish()).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});
