/** Letters of other scripts that read as plain ones, as far as the corpus and the properties use them. */
const ALIKE: Readonly<Record<string, string>> = {
  о: "o",
  ο: "o",
  Ь: "b",
  ѕ: "s",
  $: "s",
  е: "e",
  г: "r",
  ν: "v",
  а: "a",
  α: "a",
  "@": "a",
  т: "t",
  τ: "t",
  і: "i",
  ı: "i",
  п: "n",
};

/** How a generous reader sees a text: escapes resolved, nothing invisible, every letter plain. */
function seen(text: string): string {
  return text
    .replaceAll(/&(?:amp;)*#x([0-9a-f]+);?/giu, (_, hex: string) => pointOf(hex, 16))
    .replaceAll(/&(?:amp;)*#(\d+);?/gu, (_, code: string) => pointOf(code, 10))
    .replaceAll(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})/giu, (_, a, b, c) =>
      pointOf(String(a ?? b ?? c), 16),
    )
    .replaceAll(/&(?:amp;)*lt;?/giu, "<")
    .normalize("NFKD")
    .replaceAll(/[\p{Cf}\p{Cc}\p{M}\p{Zs}\u2800\u3164]/gu, "")
    .replaceAll(/[‹〈《⟨❮«]/gu, "<")
    .replaceAll(/[【〔]/gu, "[")
    .toLowerCase()
    .replaceAll(/[^a-z]/gu, (letter) => ALIKE[letter] ?? letter);
}

function pointOf(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** How many fences, opening and closing, a generous reader sees in a text. */
export function seenFences(text: string): { readonly opening: number; readonly closing: number } {
  const plain = seen(text);
  return {
    opening: (plain.match(/<[^a-z0-9<_/⁄\\]*observation/gu) ?? []).length,
    closing: (plain.match(/<[^a-z0-9<_]*[/⁄\\][^a-z0-9<_]*observation/gu) ?? []).length,
  };
}

/** How many ids of observations in brackets a generous reader sees in a text. */
export function seenIds(text: string): number {
  return (seen(text).match(/\[[^a-z0-9[_"']*(?:[a-z]+\.)*observation[-‐‑–—]?[0-9]/gu) ?? []).length;
}
