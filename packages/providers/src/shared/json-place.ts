import { messageOf } from "@loopwright/core/plugin";

/** Where a text stops being JSON, as an offset; `said` is what the parser says of it. */
export function jsonFaultOffset(text: string, said: string): number {
  const told = positionIn(said);
  if (told !== undefined) return told;
  // No parser position: the shortest beginning that more text can't mend ends with what is wrong.
  let sound = 0;
  let broken = text.length;
  if (!isBroken(text)) return text.trimEnd().length;
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (isBroken(text.slice(0, middle))) broken = middle;
    else sound = middle;
  }
  return broken - 1;
}

/** Whether a text can't become JSON by what is added to it. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (thrown) {
    const said = messageOf(thrown);
    if (/end of JSON input|unterminated/iu.test(said)) return false;
    return (positionIn(said) ?? 0) < text.length;
  }
}

function positionIn(said: string): number | undefined {
  const position = /at position (\d+)/u.exec(said)?.[1];
  return position === undefined ? undefined : Number(position);
}
