import { definePrompt, type Language, type Prompt, wordsIn } from "../contracts/prompt.ts";
import type { StructuredFault } from "./structured-result.ts";

/**
 * Why a text gives no value, in words for the model that wrote it. English tells the very fault; Chinese tells its kind and
 * its place, and of a value that does not fit its schema everything, since those words come in its language.
 */
export function faultText(
  code: StructuredFault,
  message: string,
  path: string | undefined,
  language: Language,
): string {
  const kind = KINDS[code];
  if (language === "en" || kind === undefined) return message;
  const words = wordsIn(language, kind);
  return path === undefined || path === "" ? words : `${words} (\`${path}\`)`;
}

/** The same for a step of the ReAct text protocol. */
export function reactFaultText(
  code: StructuredFault,
  message: string,
  language: Language = "en",
): string {
  const kind = REACT_KINDS[code];
  if (language === "en" || kind === undefined) return faultText(code, message, undefined, language);
  return wordsIn(language, kind);
}

const REACT_KINDS: Readonly<Partial<Record<StructuredFault, Prompt>>> = {
  "no-step": definePrompt({
    en: "the reply has neither an action nor a final answer",
    zh: "回复中既没有行动也没有最终答案；请以其中之一的标签开头写一行",
  }),
  ambiguous: definePrompt({
    en: "the step can be read in more than one way",
    zh: "这一步可以有多种读法：只写一个行动和它的输入，或者只写最终答案",
  }),
  syntax: definePrompt({
    en: "the step has a fault in its form",
    zh: "这一步的写法有错误：每个标签写在一行的开头，行动的输入写成一个 JSON 对象",
  }),
  "no-json": definePrompt({
    en: "the input of the action is no JSON",
    zh: "行动的输入不是 JSON 对象",
  }),
  truncated: definePrompt({ en: "the reply was cut", zh: "回复被截断了" }),
};

const KINDS: Readonly<Partial<Record<StructuredFault, Prompt>>> = {
  empty: definePrompt({ en: "the reply is empty", zh: "回复是空的" }),
  "no-json": definePrompt({
    en: "the reply holds no JSON of the wanted kind",
    zh: "回复中没有所要求的 JSON",
  }),
  syntax: definePrompt({
    en: "the JSON has a fault in its syntax",
    zh: "JSON 的语法有错误：请检查引号、逗号、括号和每个值",
  }),
  truncated: definePrompt({ en: "the JSON is cut", zh: "JSON 不完整：文本被截断或没有闭合" }),
  ambiguous: definePrompt({
    en: "the JSON can be read in more than one way",
    zh: 'JSON 可以有多种读法：只写一个值，字符串中的引号写成 \\"，反斜杠写成 \\\\',
  }),
  "duplicate-key": definePrompt({
    en: "a key stands twice with different values",
    zh: "同一个键出现了两次，而值不同",
  }),
  "forbidden-key": definePrompt({ en: "a key is not allowed", zh: "含有不允许使用的键" }),
  "too-large": definePrompt({ en: "the reply is too long", zh: "回复过长" }),
  "too-deep": definePrompt({ en: "the value is nested too deep", zh: "值的嵌套过深" }),
  timeout: definePrompt({ en: "the reply takes too long to read", zh: "读取回复所需的步骤过多" }),
  refusal: definePrompt({ en: "the model refused", zh: "模型拒绝了请求" }),
};
