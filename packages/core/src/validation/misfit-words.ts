import type { ErrorObject } from "ajv";
import type { Json, JsonSchema } from "../contracts/json.ts";
import { definePrompt, type Language, type Prompt, wordsIn } from "../contracts/prompt.ts";

/** One way in which a value does not fit its schema; `path` is a JSON pointer, empty for the whole value. */
export interface Misfit {
  readonly path: string;
  readonly message: string;
}

/** Misfits as one line for people and models. */
export function describeMisfits(list: readonly Misfit[], language: Language = "en"): string {
  return list
    .map(({ path, message }) => {
      const place = path === "" ? wordsIn(language, THE_VALUE) : `\`${path}\` `;
      return `${place}${message}`;
    })
    .join(wordsIn(language, BETWEEN));
}

/** What a fault of a validator says of a value, after the words for its place. */
export function describeFault(fault: ErrorObject, root: unknown, language: Language): string {
  const given = shortJson(valueAt(root, fault.instancePath));
  const params = fault.params as Record<string, unknown>;
  switch (fault.keyword) {
    case "required": {
      const field = String(params["missingProperty"]);
      return wordsIn(language, LACKS, { field, choices: choicesOf(fault, language) });
    }
    case "additionalProperties":
      return wordsIn(language, HAS_OTHER, { field: String(params["additionalProperty"]) });
    case "enum": {
      const allowed = (params["allowedValues"] as Json[]).map((value) => shortJson(value));
      return wordsIn(language, IS_NONE_OF, { given, allowed: allowed.join(", ") });
    }
    case "type":
      return wordsIn(language, IS_NOT, { given, wanted: String(params["type"]) });
    case "const":
      return wordsIn(language, IS_NOT, { given, wanted: shortJson(params["allowedValue"]) });
    default:
      return wordsIn(language, IS, { given, wanted: ruleOf(fault, language) });
  }
}

/** The values that a missing field may have, where they are few. */
function choicesOf({ parentSchema, params }: ErrorObject, language: Language): string {
  const fields = (parentSchema?.["properties"] ?? {}) as Record<string, JsonSchema | undefined>;
  const choices = fields[String((params as Record<string, unknown>)["missingProperty"])]?.["enum"];
  if (!Array.isArray(choices)) return "";
  const values = choices.map((value) => shortJson(value)).join(", ");
  return wordsIn(language, ONE_OF, { values });
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return value;
}

/** A value as JSON, the beginning of it where it is long. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** The rule that a value breaks: in English as the validator says it. */
function ruleOf({ keyword, message, params }: ErrorObject, language: Language): string {
  if (language === "en") return message ?? "which does not fit";
  const rule = CHINESE_RULES[keyword] ?? "不符合要求";
  const named = params as Readonly<Record<string, string | number | undefined>>;
  return rule.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(named[name] ?? ""));
}

/** The validator speaks English alone; the places in these are the parameters of its faults. */
const CHINESE_RULES: Readonly<Record<string, string>> = {
  minimum: "必须 {comparison} {limit}",
  maximum: "必须 {comparison} {limit}",
  exclusiveMinimum: "必须 {comparison} {limit}",
  exclusiveMaximum: "必须 {comparison} {limit}",
  multipleOf: "必须是 {multipleOf} 的倍数",
  minLength: "不得少于 {limit} 个字符",
  maxLength: "不得多于 {limit} 个字符",
  pattern: "必须匹配模式 {pattern}",
  format: "必须符合格式 {format}",
  minItems: "不得少于 {limit} 项",
  maxItems: "不得多于 {limit} 项",
  minProperties: "不得少于 {limit} 个字段",
  maxProperties: "不得多于 {limit} 个字段",
  uniqueItems: "各项不得重复",
  contains: "至少要有 {minContains} 项符合要求",
  propertyNames: "有字段名不符合要求：{propertyName}",
  dependentRequired: "有字段 {property} 时还须有 {deps}",
  oneOf: "必须恰好符合所允许的形式之一",
  anyOf: "必须符合所允许的形式之一",
  not: "不得符合被排除的形式",
};

const THE_VALUE = definePrompt({ en: "the value ", zh: "该值" });
const BETWEEN = definePrompt({ en: "; ", zh: "；" });
const ONE_OF = definePrompt({ en: ", one of {{values}}", zh: "，可选值：{{values}}" });
const LACKS = definePrompt({
  en: "lacks `{{field}}`{{choices}}",
  zh: "缺少 `{{field}}`{{choices}}",
});
const HAS_OTHER = definePrompt({
  en: "has `{{field}}`, which is not one of its fields",
  zh: "含有 `{{field}}`，它不是其字段之一",
});
const IS_NONE_OF = definePrompt({
  en: "is {{given}}, not one of {{allowed}}",
  zh: "是 {{given}}，不是以下之一：{{allowed}}",
});
const IS_NOT = definePrompt({
  en: "is {{given}}, not {{wanted}}",
  zh: "是 {{given}}，而不是 {{wanted}}",
});
const IS = definePrompt({ en: "is {{given}}, {{wanted}}", zh: "是 {{given}}，{{wanted}}" });

/** Said of a value with a text that is too long for its pattern. */
export const TOO_LONG_TO_MATCH: Prompt<"length" | "pattern" | "most"> = definePrompt({
  en: "holds a text of {{length}} characters, and the pattern {{pattern}} is matched with at most {{most}}",
  zh: "含有 {{length}} 个字符的文本，而模式 {{pattern}} 最多匹配 {{most}} 个字符",
});

/** Said of a value that can't be compared. */
export const NOT_COMPARABLE: Prompt = definePrompt({
  en: "holds a field called `toString` or `valueOf` where values are compared, which can't be judged",
  zh: "在需要比较值的地方含有名为 `toString` 或 `valueOf` 的字段，无法判断",
});

/** Said of a value whose schema goes round in circles. */
export const TOO_MANY_STEPS: Prompt = definePrompt({
  en: "takes too many steps to check: its schema refers to parts of itself again and again",
  zh: "检查所需步骤过多：其 schema 反复引用自身的部分",
});

/** Said of a value that is nested too deep. */
export const TOO_DEEP: Prompt = definePrompt({
  en: "is nested too deep to be checked",
  zh: "嵌套过深，无法检查",
});
