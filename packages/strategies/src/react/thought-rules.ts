import {
  definePrompt,
  type Language,
  type Prompt,
  type RunState,
  type TSchema,
  Type,
  wordsIn,
} from "@loopwright/core/plugin";
import { inventedValues } from "./invented-values.ts";
import { oneLine } from "./step-trail.ts";

const RULES = ["need", "facts", "how"] as const;

/** What a thought has to say: what is missing, one to three facts, the next action. */
type ThoughtRule = (typeof RULES)[number];

/** What thoughts have to be like; with nothing set, they are free. */
export interface ThoughtOptions {
  readonly rules: readonly ThoughtRule[];
  readonly noInventedValues: boolean;
  readonly maxChars?: number;
}

/** The option of a strategy that judges the thoughts of its model by rules. */
export const thoughtOptions: TSchema & { readonly static: ThoughtOptions } = Type.Object(
  {
    rules: Type.Array(Type.Unsafe<ThoughtRule>({ type: "string", enum: [...RULES] }), {
      description:
        "What a thought says, each on a line of its own: `need` what is missing, `facts` one to three facts with their observations, `how` the next action.",
      default: [],
      uniqueItems: true,
    }),
    noInventedValues: Type.Boolean({
      description: "Numbers and ids in a thought have to stand in the task or in a result.",
      default: false,
    }),
    maxChars: Type.Optional(
      Type.Integer({
        description: "The most characters of a thought.",
        minimum: 40,
        maximum: 10_000,
      }),
    ),
  },
  {
    description: "Rules for thoughts; a breach is told the model once in a stage.",
    default: { rules: [], noInventedValues: false },
    additionalProperties: false,
  },
);

/** A rule that a thought broke. */
export interface ThoughtBreach {
  readonly rule: ThoughtRule | "length" | "invented-values";
  /** What is wrong, in a few words of the thought. */
  readonly detail: string;
}

/** What the model is told of the rules; empty where there are none. */
export function thoughtPrompt(options: ThoughtOptions, language: Language): string {
  const { rules, noInventedValues, maxChars } = options;
  const lines = RULES.filter((rule) => rules.includes(rule)).map((rule) =>
    wordsIn(language, SAYS[rule]),
  );
  if (maxChars !== undefined) lines.push(wordsIn(language, SHORT, { max: maxChars }));
  if (noInventedValues) lines.push(wordsIn(language, NOT_INVENTED));
  if (lines.length === 0) return "";
  return [wordsIn(language, HEADING), ...lines.map((line) => `- ${line}`)].join("\n");
}

/** So much of a thought is judged. */
const maxJudgedChars = 8_000;

/** The rules that a thought breaks; an empty thought breaks none. */
export function thoughtBreaches(
  whole: string,
  { rules, noInventedValues, maxChars }: ThoughtOptions,
  state: RunState,
): readonly ThoughtBreach[] {
  const thought = whole.slice(0, maxJudgedChars);
  if (whole.trim() === "") return [];
  const parts = partsOf(thought);
  const breaches = RULES.filter((rule) => rules.includes(rule)).flatMap((rule) => {
    const detail = rule === "facts" ? factsFault(parts.facts, state) : partFault(parts[rule]);
    return detail === undefined ? [] : [{ rule, detail }];
  });
  const length: ThoughtBreach[] =
    maxChars === undefined || whole.length <= maxChars
      ? []
      : [{ rule: "length", detail: `${whole.length} > ${maxChars}` }];
  const invented = noInventedValues ? inventedValues(thought, state) : [];
  const values: ThoughtBreach[] =
    invented.length === 0
      ? []
      : [{ rule: "invented-values", detail: oneLine(invented.slice(0, 5).join(", "), 120) }];
  return [...breaches, ...length, ...values];
}

type Parts = Readonly<Partial<Record<ThoughtRule, string>>>;

/** The parts of a thought by their labels, English or Chinese. */
function partsOf(thought: string): Parts {
  const found = [...thought.matchAll(LABEL)];
  const parts: Partial<Record<ThoughtRule, string>> = {};
  for (const [index, match] of found.entries()) {
    const rule = RULE_OF_LABEL[(match[1] ?? "").toLowerCase()];
    const text = thought.slice(match.index + match[0].length, found[index + 1]?.index);
    if (rule !== undefined) parts[rule] ??= text.trim();
  }
  return parts;
}

// A label begins a line or a sentence, and may be marked as bold or as an item of a list; runs of marks are bounded.
const LABEL =
  /(?:^|[\n.;。；！!？?])[\s*_#>\-\d.]{0,20}(need|facts?|how|需要|缺少|缺什么|事实|做法|怎么做)[*_]{0,3}\s{0,3}[:：][*_]{0,3}/giu;

const RULE_OF_LABEL: Readonly<Record<string, ThoughtRule>> = {
  need: "need",
  需要: "need",
  缺少: "need",
  缺什么: "need",
  fact: "facts",
  facts: "facts",
  事实: "facts",
  how: "how",
  做法: "how",
  怎么做: "how",
};

function partFault(part: string | undefined): string | undefined {
  return part === undefined || part === "" ? "missing" : undefined;
}

const maxFacts = 3;
/** Facts cite one to three results that exist and are no thoughts; before the first result there is nothing to cite. */
function factsFault(part: string | undefined, { observations }: RunState): string | undefined {
  if (part === undefined || part === "") return "missing";
  const evidence = observations.filter(({ isThought }) => isThought !== true);
  const ids = new Set(evidence.map(({ id }) => id));
  const cited = new Set(part.match(CITED) ?? []);
  const unknown = [...cited].filter((id) => !ids.has(id));
  if (unknown.length > 0) return `no such result: ${oneLine(unknown.join(", "), 100)}`;
  if (cited.size > maxFacts) return `${cited.size} > ${maxFacts}`;
  return cited.size === 0 && ids.size > 0 ? "no result cited" : undefined;
}

const CITED = /(?<![\w.:-])[\w.:-]*observation-\d+/gu;

/** What the model is told about the rules it broke. */
export function breachText(breaches: readonly ThoughtBreach[], language: Language): string {
  const lines = breaches.map(
    ({ rule, detail }) => `- ${wordsIn(language, BROKEN[rule], { detail })}`,
  );
  return [wordsIn(language, BREACH), ...lines].join("\n");
}

const HEADING = definePrompt({
  en: "Before each call, think in short lines:",
  zh: "每次调用之前，用简短的几行写出想法：",
});
const SAYS: Readonly<Record<ThoughtRule, Prompt>> = {
  need: definePrompt({ en: "Need: what is missing.", zh: "需要：还缺什么。" }),
  facts: definePrompt({
    en: "Facts: one to three facts, each with its result, as in [observation-1]; before the first result, what the task says.",
    zh: "事实：一到三条事实，每条注明其结果，如 [observation-1]；还没有结果时，写任务中的内容。",
  }),
  how: definePrompt({ en: "How: what you do next.", zh: "做法：下一步做什么。" }),
};
const SHORT = definePrompt({
  en: "At most {{max}} characters in all.",
  zh: "总共不超过 {{max}} 个字符。",
});
const NOT_INVENTED = definePrompt({
  en: "No number and no id that neither the task nor a result holds.",
  zh: "不写任务和结果中都没有的数字或编号。",
});
const BREACH = definePrompt({
  en: "Your last thought broke rules; keep them from here on:",
  zh: "你上一个想法违反了规则，请从现在起遵守：",
});
const BROKEN: Readonly<Record<ThoughtBreach["rule"], Prompt<"detail">>> = {
  need: definePrompt({
    en: "Need: say what is missing ({{detail}}).",
    zh: "需要：写出还缺什么（{{detail}}）。",
  }),
  facts: definePrompt({
    en: "Facts: one to three, each with a result that exists ({{detail}}).",
    zh: "事实：一到三条，每条注明一个确实存在的结果（{{detail}}）。",
  }),
  how: definePrompt({
    en: "How: say what you do next ({{detail}}).",
    zh: "做法：写出下一步做什么（{{detail}}）。",
  }),
  length: definePrompt({ en: "It is too long ({{detail}}).", zh: "太长（{{detail}}）。" }),
  "invented-values": definePrompt({
    en: "These values stand neither in the task nor in a result: {{detail}}.",
    zh: "这些值既不在任务中，也不在结果中：{{detail}}。",
  }),
};
