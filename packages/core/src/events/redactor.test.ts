import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Redactor } from "./redactor.ts";

const REDACTED = "[redacted]";
const secret = fc.string({ unit: fc.constantFrom("a", "b", '"', "/"), minLength: 6, maxLength: 9 });

/** Text with secrets in it, cut into pieces at any place. */
function pieces(secrets: readonly string[]): fc.Arbitrary<readonly string[]> {
  const word = fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 4 }));
  return fc
    .tuple(
      fc.array(word, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
    )
    .map(([words, sizes]) => {
      const text = words.join("");
      const cut: string[] = [];
      for (let at = 0; at < text.length; ) {
        const size = sizes[cut.length % sizes.length] ?? 1;
        cut.push(text.slice(at, at + size));
        at += size;
      }
      return cut;
    });
}

describe("a redactor", () => {
  it("hides a secret that a stream cuts at any place, and loses nothing else", () => {
    const one = secret.chain((text) => fc.tuple(fc.constant(text), pieces([text])));
    fc.assert(
      fc.property(one, ([text, parts]) => {
        const redactor = new Redactor([text]);
        const stream = redactor.stream();
        const told = parts.map((part) => stream.push(part)).join("") + stream.end();
        expect(told).toBe(redactor.text(parts.join("")));
        expect(told).not.toContain(text);
      }),
    );
  });

  it("hides all of the longer secret where one begins with the other", () => {
    const redactor = new Redactor(["abcdef", "abcdef-ghij"]);
    for (let cut = 0; cut <= 13; cut += 1) {
      const text = "x abcdef-ghij y abcdef z";
      const stream = redactor.stream();
      const told = stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end();
      expect(told).toBe(`x ${REDACTED} y ${REDACTED} z`);
    }
  });

  it("holds back no more than the beginning of a secret", () => {
    const stream = new Redactor(["secret-1"]).stream();
    expect(stream.push("nothing to hide; sec")).toBe("nothing to hide; ");
    expect(stream.push("ond")).toBe("second");
  });

  it("hides a secret in keys, in JSON inside text and in URLs", () => {
    const redactor = new Redactor(['pass"word/1']);
    const data = { 'pass"word/1': [JSON.stringify({ key: 'pass"word/1' }), "?k=pass%22word%2F1"] };
    expect(redactor.data(data)).toEqual({
      [REDACTED]: [`{"key":"${REDACTED}"}`, `?k=${REDACTED}`],
    });
  });

  it("gives data without a secret back as it is, part by part", () => {
    const clean = { list: [1, null, "text"] };
    const redactor = new Redactor(["secret-1"]);
    expect(redactor.data(clean)).toBe(clean);
    const mixed = redactor.data({ clean, other: "secret-1" }) as { readonly clean: unknown };
    expect(mixed.clean).toBe(clean);
  });

  it("leaves values alone that are too short to be secret", () => {
    expect(new Redactor(["abc"]).text("abc")).toBe("abc");
  });
});

it("gives a growing list itself while it is clean, and cleans what is added", () => {
  const redactor = new Redactor(["hunter-two"]);
  const first = { text: "hello" };
  const clean = [first];
  const last = redactor.list(clean);
  expect(last.items).toBe(clean);
  const grown = redactor.list([first, { text: "it is hunter-two" }], last);
  expect(grown.items).toEqual([first, { text: "it is [redacted]" }]);
  expect(grown.items[0]).toBe(first);
  expect(redactor.list([first, { text: "hunter-two" }], grown).items).toEqual([
    first,
    { text: "[redacted]" },
  ]);
});

it("looks at a list again when a secret is added", () => {
  const redactor = new Redactor(["hunter-two"]);
  const list = [{ text: "open sesame" }];
  const last = redactor.list(list);
  expect(last.items).toBe(list);
  redactor.add("open sesame");
  expect(redactor.list(list, last).items).toEqual([{ text: "[redacted]" }]);
});
