import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlText } from "./html-text.ts";

describe("the text of HTML", () => {
  it.each([
    ["<p>One</p>\n<p>Two<br>three</p>", "One\n\nTwo\nthree"],
    ["<title>T</title><h2>Head</h2><ul><li>a<li>b</ul>", "T\n\n## Head\n\n- a\n- b"],
    [
      'see <a class="x" href="https://a.example/?a=1&amp;b=2">this</a>.',
      "see this (https://a.example/?a=1&b=2).",
    ],
    ["<a href='/rel'>x</a> <a href=\"javascript:alert(1)\">y</a> <a name=z>w</a>", "x (/rel) y w"],
    ["a<script>if (1<2) {'</p>'}</script>b<style>p{}</style >c<!-- <p>no --> d", "abc d"],
    ["<SCRIPT>x</Script>seen", "seen"],
    ["a<script>never ends", "a"],
    ["a<!-- never ends", "a"],
    ["1 < 2 &amp;&lt;b&gt; &#233;&#x4e2d;&nbsp;&unknown; &#0;", "1 < 2 &<b> é中 &unknown; &#0;"],
    ["<table><tr><td>a</td><td>b</td></tr></table>", "a | b |"],
    ["a\n  b\t c", "a b c"],
    ["<b>bold</b>ly", "boldly"],
  ])("%j", (html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  it("never fails, and shows no tag that it knows", () => {
    const piece = fc.constantFrom(
      "<p>",
      "</p>",
      "<script>",
      "</script>",
      "<",
      ">",
      "&",
      "a",
      "<a href='x/'>",
      "</a>",
      "<!--",
      "-->",
      '"',
      "&#99999999;",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(htmlText(pieces.join(""))).not.toMatch(/<\/?p>|<script>/);
      }),
      { numRuns: 500 },
    );
  });

  it("looks at each character a bounded number of times", () => {
    for (const piece of ["<", "<a ", "<!--", "<script>", "&", "<a href=", " \n"])
      expect(htmlText(piece.repeat(100_000)).length).toBeGreaterThanOrEqual(0);
  });
});
