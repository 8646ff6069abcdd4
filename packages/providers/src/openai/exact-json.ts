const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** Whether a text of JSON says no more than its value holds: no key twice in one object, no number that was rounded. */
export function isExactJson(text: string, value: unknown): boolean {
  let keyCount = 0;
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (colon !== undefined) keyCount += 1;
    else if (!token.startsWith('"') && !isExactNumber(token)) return false;
  }
  return keyCount === countKeys(value);
}

/** Doubles hold every number of 15 digits, every whole one up to 2 ** 53, and what they are written as themselves. */
function isExactNumber(token: string): boolean {
  const number = Number(token);
  if (token === String(number)) return true;
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(number) && !Object.is(number, -0);
  const digits = (token.split(/[eE]/)[0] ?? "").replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= 15 && Number.isFinite(number) && (number !== 0 || digits === "");
}

function countKeys(value: unknown): number {
  let count = 0;
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const one of inner) waiting.push(one);
  }
  return count;
}
