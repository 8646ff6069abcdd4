/** A text without what goes beyond so many characters, and a mark that says so. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // Half of a surrogate pair is no character, and endpoints refuse it.
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1));
  const end = isHalf ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n[… ${text.length - end} more characters were cut here]`;
}
