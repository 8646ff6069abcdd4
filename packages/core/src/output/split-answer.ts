/** The line that opens the answer behind free text; models put marks of headings around it. */
const opening = /^[\s>#*_-]*(?:ANSWER|答案)[\s*_]*[:：][\s*_]*/u;

/** Takes free text and the answer behind the last line that opens one apart; without such a line, all of it is the answer. */
export function splitAnswer(text: string): { readonly reasoning: string; readonly answer: string } {
  const lines = text.split("\n");
  const at = lines.findLastIndex((line) => opening.test(line));
  if (at < 0) return { reasoning: "", answer: text };
  const answer = [(lines[at] ?? "").replace(opening, ""), ...lines.slice(at + 1)].join("\n");
  return { reasoning: lines.slice(0, at).join("\n").trim(), answer };
}
