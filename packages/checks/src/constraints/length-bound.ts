import type { Decision, Judged } from "./decision.ts";
import { measure, type Unit } from "./measure.ts";

interface Bound {
  readonly min: number;
  readonly max: number;
  readonly unit: Unit;
}

const numberWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  single: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  fifty: 50,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};
const units: Readonly<Record<string, Unit>> = {
  word: "words",
  character: "characters",
  sentence: "sentences",
  line: "lines",
  paragraph: "paragraphs",
  字: "signs",
  字符: "characters",
  句: "sentences",
  句话: "sentences",
  行: "lines",
  段: "paragraphs",
  段落: "paragraphs",
};
const atMost =
  "at most|no more than|not more than|up to|a maximum of|maximum|max\\.?|within|not exceed|never exceed|not be longer than|no longer than";
const atLeast =
  "at least|no fewer than|no less than|not less than|not fewer than|a minimum of|minimum|min\\.?";

const english = new RegExp(
  `^(?:please )?(?:(?:the |your )?(?:final |whole )?(?:answer|reply|response|text|output|message|it)(?:'s length)? )?(?:(?:must|should|shall|has to|needs to|may|can|will) )?` +
    `(?:(?:be|is|have|has|contain|contains|use|uses|stay|keep|keep it|keep the answer|answer|reply|respond|write|limit it|limit the answer) )?(?:(?:in|to|with|of) )?` +
    `(?:(${atMost})|(under|fewer than|less than|below)|(${atLeast})|(more than|over)|(exactly|precisely|just|only))? ?` +
    `(\\d{1,6}|[a-z]+) (word|character|sentence|line|paragraph)s?(?: long| in length| in total)?(?: (or (?:fewer|less)|at most|maximum|max)| (or more|at least|minimum))?[.!]?$`,
  "i",
);
const chinese = new RegExp(
  "^请?(?:最终)?(?:回答|答案|答复|回复|全文|输出|内容)?(?:的?(?:字数|长度|篇幅))?(?:必须|应当|应该|应|须|需要|需|要)?(?:控制在|限制在|保持在|用|以|为|在)?" +
    "(?:(不超过|不得超过|不能超过|不要超过|不可超过|最多|至多|不多于)|(少于|小于)|(至少|不少于|不得少于|不能少于|不低于)|(超过|多于)|(正好|恰好|刚好|仅用|只用))?" +
    "([\\d]{1,6}|[一二两兩三四五六七八九十])个?(字符|字|句话|句|行|段落|段)(?:(以内|之内|以下)|(以上))?(?:话)?(?:来?回答|作答|回复|答复)?[。！.]?$",
);

/** Decides "at most N words" and its like, in English or Chinese, where the whole constraint says nothing else. */
export function decideLength(constraint: string, { prose }: Judged): Decision | undefined {
  const bound = readBound(constraint);
  if (bound === undefined || prose === undefined) return undefined;
  const [low, high] = measure(prose, bound.unit);
  if (low >= bound.min && high <= bound.max) return { isMet: true };
  // Where words and sentences can be counted in two ways, only a bound that every count misses is missed.
  if (low <= bound.max && high >= bound.min) return undefined;
  const count = low === high ? String(low) : `${low} to ${high}`;
  const unit = bound.unit === "signs" ? "characters" : bound.unit;
  const isLong = low > bound.max;
  return {
    isMet: false,
    detail: `the answer has ${count} ${unit}`,
    requiredAction: isLong
      ? `Shorten the answer to ${bound.max} ${unit} at most.`
      : `Make the answer at least ${bound.min} ${unit} long.`,
  };
}

function readBound(constraint: string): Bound | undefined {
  const text = constraint.trim().replaceAll(/\s+/g, " ");
  const match = english.exec(text) ?? chinese.exec(text.replaceAll(" ", ""));
  if (match === null) return undefined;
  const [, most, below, least, above, exact, countText = "", unitText = "", mostAfter, leastAfter] =
    match;
  const count = numberWords[countText.toLowerCase()] ?? Number(countText);
  const unit = units[unitText.toLowerCase()];
  if (!Number.isInteger(count) || unit === undefined) return undefined;
  if (
    [most, below, least, above, exact, mostAfter, leastAfter].filter((part) => part !== undefined)
      .length > 1
  )
    return undefined;
  if (most !== undefined || mostAfter !== undefined) return { min: 0, max: count, unit };
  if (below !== undefined) return { min: 0, max: count - 1, unit };
  if (least !== undefined || leastAfter !== undefined) return { min: count, max: Infinity, unit };
  if (above !== undefined) return { min: count + 1, max: Infinity, unit };
  // "in 50 words" is loose; "in two sentences" is not.
  const isLoose =
    exact === undefined && (unit === "words" || unit === "characters" || unit === "signs");
  return isLoose ? undefined : { min: count, max: count, unit };
}
