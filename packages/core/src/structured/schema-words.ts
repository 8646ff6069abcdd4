import type { Language } from "../contracts/prompt.ts";

/** What is counted in a schema. */
export type CountedThing = "character" | "item" | "field";

/** The words in which a schema is told; functions, since languages join and count differently. */
export interface SchemaWords {
  readonly nouns: Readonly<Record<string, string>>;
  readonly anyJson: string;
  readonly colon: string;
  readonly comma: string;
  readonly or: string;
  readonly orElse: string;
  readonly and: string;
  readonly always: (value: string) => string;
  readonly oneOf: (values: string) => string;
  readonly atLeast: (count: number, thing: CountedThing) => string;
  readonly atMost: (count: number, thing: CountedThing) => string;
  readonly exactly: (count: number, thing: CountedThing) => string;
  readonly between: (least: number, most: number, thing: CountedThing) => string;
  readonly bounds: Readonly<Record<string, string>>;
  readonly multipleOf: (step: number) => string;
  readonly pattern: (pattern: string) => string;
  readonly format: (format: string) => string;
  readonly noTwoAlike: string;
  readonly noOtherFields: string;
  readonly fitsSchema: (schema: string) => string;
  readonly required: string;
  readonly optional: string;
  readonly eachItem: string;
  readonly furtherItems: string;
  readonly theWhole: string;
  readonly theReply: string;
  readonly theWholeReply: string;
  readonly itsContainer: string;
  readonly sameShapeAs: (place: string) => string;
  readonly oneOfForms: (count: number) => string;
  readonly form: (number: number) => string;
  readonly namesThatMatch: (pattern: string) => string;
  readonly anyOtherName: string;
  readonly moreLines: (count: number) => string;
  readonly objectHead: string;
  readonly valueHead: string;
  readonly example: (example: string) => string;
}

function counted(count: number, thing: CountedThing): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

const english: SchemaWords = {
  nouns: {
    string: "text",
    integer: "whole number",
    number: "number",
    boolean: "true or false",
    null: "null",
    object: "object",
    array: "list",
  },
  anyJson: "any JSON",
  colon: ": ",
  comma: ", ",
  or: " or ",
  orElse: "; or ",
  and: " and ",
  always: (value) => `always ${value}`,
  oneOf: (values) => `one of ${values}`,
  atLeast: (count, thing) => `at least ${counted(count, thing)}`,
  atMost: (count, thing) => `at most ${counted(count, thing)}`,
  exactly: (count, thing) => `exactly ${counted(count, thing)}`,
  between: (least, most, thing) => `${least} to ${counted(most, thing)}`,
  bounds: {
    minimum: "at least",
    exclusiveMinimum: "more than",
    maximum: "at most",
    exclusiveMaximum: "less than",
  },
  multipleOf: (step) => `a multiple of ${step}`,
  pattern: (pattern) => `matches the pattern ${pattern}`,
  format: (format) => `in the format ${format}`,
  noTwoAlike: "no two items alike",
  noOtherFields: "no other fields",
  fitsSchema: (schema) => `fits the JSON Schema ${schema}`,
  required: "required",
  optional: "optional",
  eachItem: "each item",
  furtherItems: "further items",
  theWhole: "the whole",
  theReply: "the reply",
  theWholeReply: "the whole reply",
  itsContainer: "what contains it",
  sameShapeAs: (place) => `the same shape as ${place}`,
  oneOfForms: (count) => `one of ${count} forms`,
  form: (number) => ` (form ${number})`,
  namesThatMatch: (pattern) => ` (names that match ${pattern})`,
  anyOtherName: " (any other name)",
  moreLines: (count) => `- and ${count} more lines of this kind`,
  objectHead:
    "Reply with one JSON object and nothing else: no text around it, no code fence. Its fields:",
  valueHead: "Reply with one JSON value and nothing else: no text around it, no code fence. It is:",
  example: (example) => `An example of a reply that fits, with made-up values: ${example}`,
};

const things: Readonly<Record<CountedThing, string>> = {
  character: "个字符",
  item: "项",
  field: "个字段",
};

const chinese: SchemaWords = {
  nouns: {
    string: "文本",
    integer: "整数",
    number: "数字",
    boolean: "true 或 false",
    null: "null",
    object: "对象",
    array: "列表",
  },
  anyJson: "任意 JSON",
  colon: "：",
  comma: "，",
  or: " 或 ",
  orElse: "；或 ",
  and: "且",
  always: (value) => `固定为 ${value}`,
  oneOf: (values) => `以下之一：${values}`,
  atLeast: (count, thing) => `至少 ${count} ${things[thing]}`,
  atMost: (count, thing) => `至多 ${count} ${things[thing]}`,
  exactly: (count, thing) => `恰好 ${count} ${things[thing]}`,
  between: (least, most, thing) => `${least} 到 ${most} ${things[thing]}`,
  bounds: {
    minimum: "不小于",
    exclusiveMinimum: "大于",
    maximum: "不大于",
    exclusiveMaximum: "小于",
  },
  multipleOf: (step) => `${step} 的倍数`,
  pattern: (pattern) => `匹配模式 ${pattern}`,
  format: (format) => `格式为 ${format}`,
  noTwoAlike: "各项互不相同",
  noOtherFields: "没有其他字段",
  fitsSchema: (schema) => `符合 JSON Schema ${schema}`,
  required: "必填",
  optional: "可选",
  eachItem: "每一项",
  furtherItems: "其余各项",
  theWhole: "整体",
  theReply: "回复",
  theWholeReply: "整个回复",
  itsContainer: "包含它的部分",
  sameShapeAs: (place) => `与 ${place} 形状相同`,
  oneOfForms: (count) => `${count} 种形式之一`,
  form: (number) => `（形式 ${number}）`,
  namesThatMatch: (pattern) => `（名称匹配 ${pattern}）`,
  anyOtherName: "（任何其他名称）",
  moreLines: (count) => `- 以及另外 ${count} 行同类内容`,
  objectHead: "只回复一个 JSON 对象：前后不要有其他文字，也不要用代码块。它的字段：",
  valueHead: "只回复一个 JSON 值：前后不要有其他文字，也不要用代码块。它是：",
  example: (example) => `一个符合要求的回复示例（其中的值是虚构的）：${example}`,
};

/** The words for schemas in every language. */
export const schemaWords: Readonly<Record<Language, SchemaWords>> = { en: english, zh: chinese };
