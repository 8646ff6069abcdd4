import { findClaims, plainNumber } from "../shared/claims.ts";
import { comparable, holdsPhrase, straight } from "../shared/comparable-text.ts";
import { isKnownDate, knownDates } from "../shared/dates.ts";
import type { Decision, Judged } from "./decision.ts";

/** Stands for one thing that must or must not be said. */
const slot = "\u0001";
const list = `${slot}(?:(?:,|、|，| and| or| nor|,? and|,? or|和|与|及|或) ?${slot})*`;
const subject =
  "(?:(?:the |your )?(?:final |whole )?(?:answer|reply|response|text|output|message|it) )?";
const verb = "(?:contains?|includes?|mentions?|says?|uses?|states?|writes?|names?|quotes?|gives?)";
const noun =
  "(?: the)?(?: exact)?(?: words?| phrases?| terms?| texts?| sentences?| numbers?| dates?| ids?)?";
const place = "(?: in the (?:answer|reply|response|text)| verbatim| literally| exactly| anywhere)?";
const chineseVerb = "(?:包含|包括|提到|提及|出现|使用|写明|写上|说明|说|用|含有|注明)";
const chineseNoun = "(?:词语|字样|日期|数字|一词|编号|等字样|这个词)?";

const required = [
  new RegExp(
    `^${subject}(?:must |should |shall |has to |needs to |always |please )*${verb}${noun} ${list}${place}[.!]?$`,
    "i",
  ),
  new RegExp(
    `^(?:the )?(?:words?|phrases?|terms?|number|date|text) ${list} (?:must|should|has to|have to) (?:appear|be mentioned|be used|occur)${place}[.!]?$`,
    "i",
  ),
  new RegExp(
    `^请?(?:回答|答案|答复|回复)?中?(?:必须|应当|应该|应|须|需要|需|要)?${chineseVerb}${chineseNoun}${list}${chineseNoun}[。！.]?$`,
  ),
];
const forbidden = [
  new RegExp(
    `^${subject}(?:must never |must not |should never |should not |shall not |may not |cannot |can't |mustn't |do not |don't |does not |never |please do not |no )${verb}?${noun} ?${list}${place}[.!]?$`,
    "i",
  ),
  new RegExp(
    `^(?:the )?(?:words?|phrases?|terms?|number|date|text) ${list} (?:must not|must never|should not|may not|cannot) (?:appear|be mentioned|be used|occur)${place}[.!]?$`,
    "i",
  ),
  new RegExp(`^(?:avoid|without)(?: using| saying| mentioning)?${noun} ${list}[.!]?$`, "i"),
  new RegExp(
    `^请?(?:回答|答案|答复|回复)?中?(?:不得|不要|不能|不可以|不可|不应|不许|禁止|切勿|请勿|绝不|绝不能|严禁)${chineseVerb}${chineseNoun}${list}${chineseNoun}[。！.]?$`,
  ),
];

interface Thing {
  readonly text: string;
  readonly kind: "phrase" | "date" | "number";
}

/** Decides which quoted words, dates, ids and numbers must or must not be said, where the constraint says nothing else. */
export function decideMention(constraint: string, { texts }: Judged): Decision | undefined {
  const { pattern, things } = withSlots(constraint);
  if (things.length === 0) return undefined;
  const isForbidden = forbidden.some((form) => form.test(pattern));
  if (!isForbidden && !required.some((form) => form.test(pattern))) return undefined;
  // "A or B" asks for either; "never A or B" forbids both.
  if (!isForbidden && / or |或/.test(pattern)) return undefined;
  const said = texts.join("\n");
  const found = things.map((thing) => ({ thing, isSaid: isSaid(thing, said) }));
  const wrong = found
    .filter((entry) => entry.isSaid === isForbidden)
    .map(({ thing }) => `"${thing.text}"`);
  if (wrong.length > 0) return missed(isForbidden, wrong.join(", "));
  return found.some((entry) => entry.isSaid === undefined) ? undefined : { isMet: true };
}

function missed(isForbidden: boolean, words: string): Decision {
  return isForbidden
    ? {
        isMet: false,
        detail: `the answer says ${words}`,
        requiredAction: `Take ${words} out of the answer.`,
      }
    : {
        isMet: false,
        detail: `the answer does not say ${words}`,
        requiredAction: `Say ${words} in the answer.`,
      };
}

function withSlots(constraint: string): {
  readonly pattern: string;
  readonly things: readonly Thing[];
} {
  const things: Thing[] = [];
  const put = (kind: Thing["kind"], text: string): string => {
    things.push({ kind, text });
    return slot;
  };
  let pattern = constraint.trim().replaceAll(/\s+/g, " ");
  pattern = pattern.replaceAll(
    /“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|"([^"]+)"/g,
    (_match, ...groups: unknown[]) =>
      put("phrase", groups.slice(0, 4).find((group) => typeof group === "string") as string),
  );
  const { dates, ids } = findClaims(pattern);
  for (const { text } of dates) pattern = pattern.replace(text, () => put("date", text));
  for (const id of ids) pattern = pattern.replace(id, () => put("phrase", id));
  pattern = pattern.replaceAll(
    /(\bnumbers? |数字)(\d+(?:,\d{3})*(?:\.\d+)?)(?![\d.,]\d)/gi,
    (_match, lead: string, text: string) => `${lead}${put("number", text)}`,
  );
  return { pattern, things };
}

/** Undefined where only the letter case differs. */
function isSaid({ kind, text }: Thing, said: string): boolean | undefined {
  if (kind === "date")
    return findClaims(text).dates.some((date) => isKnownDate(date, knownDates(said)));
  if (kind === "number")
    return (said.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []).some(
      (number) => plainNumber(number) === plainNumber(text),
    );
  if (holdsPhrase(straight(said), straight(text))) return true;
  return holdsPhrase(comparable(said), comparable(text)) ? undefined : false;
}
