import {
  type Constraint,
  definePrompt,
  type Language,
  type Prompt,
  type Task,
  type TSchema,
  Type,
  wordsIn,
} from "@loopwright/core/plugin";
import { CONFLICT_PATTERNS, type WishCues } from "./conflict-patterns.ts";
import { oneOf } from "./one-of.ts";
import { names, plainWords } from "./plain-words.ts";

/** Wishes that cannot all be met, as a model names them. */
export interface PlannedConflict {
  readonly between: readonly string[];
  readonly resolution: "preference" | "relax" | "compromise" | "ask";
  readonly relaxed: string;
  readonly detail: string;
  readonly prices: readonly string[];
}

/** The schema of a conflict in a plan. */
export const PlannedConflict: TSchema & { readonly static: PlannedConflict } = Type.Object({
  between: Type.Array(Type.String(), { description: "The two wishes, in the words of the task." }),
  resolution: oneOf(["preference", "relax", "compromise", "ask"], {
    description:
      "How it is settled: by a preference that is stated, by relaxing a soft wish, by a compromise, or by asking the person.",
  }),
  relaxed: Type.String({ description: "The wish that gives way, word for word; empty if none." }),
  detail: Type.String({
    description: "The preference, what gives way, the compromise, or why a person must decide.",
  }),
  prices: Type.Array(Type.String(), {
    description: "What keeping each wish costs, in the order of `between`.",
  }),
});

/** The conflicts that the words of a task suggest, a line each; every one may be a false alarm. */
export function likelyConflicts(task: Task, language: Language): readonly string[] {
  const inputs = Object.values(task.inputs).filter((value) => typeof value === "string");
  const wishes = [
    task.text,
    task.mission,
    task.deliverable,
    ...task.constraints.map(({ text }) => text),
    ...inputs.filter((text) => text.length <= maxInputChars),
  ].join("\n");
  const text = wishes.normalize("NFKC").toLowerCase();
  return CONFLICT_PATTERNS.flatMap(({ sides: [left, right] }) => {
    const [one, other] = [cueIn(left, text), cueIn(right, text)];
    if (one === undefined || other === undefined || one === other) return [];
    const sides = { left: wordsIn(language, left.name), right: wordsIn(language, right.name) };
    return [wordsIn(language, LIKELY, { ...sides, one, other })];
  });
}

/** A longer input is material to work on, not a wish. */
const maxInputChars = 300;

function cueIn({ en, zh }: WishCues, text: string): string | undefined {
  const word = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${en})(?![\\p{L}\\p{N}-])`, "u").exec(text);
  return word?.[0] ?? new RegExp(zh, "u").exec(text)?.[0];
}

/** What becomes of the conflicts of a plan. */
interface Settled {
  /** The conflicts that a person must decide. */
  readonly open: readonly PlannedConflict[];
  /** How the others are settled, in words. */
  readonly tradeoffs: readonly string[];
  /** The hard constraints that give way to a stated preference. */
  readonly relaxed: readonly string[];
}

/** Sorts conflicts into settled and open ones: a hard constraint gives way to a stated preference or a person alone. */
export function settle(
  conflicts: readonly PlannedConflict[],
  constraints: readonly Constraint[],
  language: Language,
): Settled {
  const hardIn = (conflict: PlannedConflict): readonly Constraint[] =>
    constraints.filter(({ text }) => names(conflict.relaxed, text));
  const isOpen = (conflict: PlannedConflict): boolean =>
    conflict.resolution === "ask" ||
    (conflict.resolution !== "preference" && hardIn(conflict).length > 0);
  const settled = conflicts.filter((conflict) => !isOpen(conflict));
  return {
    open: conflicts.filter(isOpen),
    tradeoffs: settled.map((conflict) => tradeoffText(conflict, hardIn(conflict), language)),
    relaxed: settled.flatMap((conflict) => hardIn(conflict).map(({ text }) => text)),
  };
}

/** True when two conflicts are about the same wishes. */
export function isSameConflict(one: PlannedConflict, other: PlannedConflict): boolean {
  const wishes = ({ between }: PlannedConflict) => between.map(plainWords).toSorted().join("|");
  return wishes(one) === wishes(other);
}

/** A conflict in words for a person, with the price of each side. */
export function conflictText(conflict: PlannedConflict, language: Language): string {
  const { between, detail, prices } = conflict;
  const wishes = between.join(wordsIn(language, VERSUS));
  const costs = between.map((wish, index) => {
    const price = (prices[index] ?? "").trim();
    return wordsIn(language, PRICE, { wish, price: price || wordsIn(language, UNKNOWN_PRICE) });
  });
  return wordsIn(language, OPEN, { wishes, detail, costs: costs.join(wordsIn(language, AND)) });
}

/** The question that a person is asked about a conflict; the replies to choose from are its wishes. */
export function conflictQuestion(conflict: PlannedConflict, language: Language): string {
  return wordsIn(language, QUESTION, { conflict: conflictText(conflict, language) });
}

/** What a person decided, in words for the plan. */
export function decisionText(conflict: PlannedConflict, reply: string, language: Language): string {
  const wishes = conflict.between.join(wordsIn(language, VERSUS));
  return wordsIn(language, DECIDED, { wishes, reply });
}

function tradeoffText(
  { between, resolution, relaxed, detail }: PlannedConflict,
  hard: readonly Constraint[],
  language: Language,
): string {
  const wishes = between.join(wordsIn(language, VERSUS));
  const how = wordsIn(language, RESOLUTIONS[resolution]);
  const wish = hard.length > 0 ? hard.map(({ text }) => text).join("; ") : relaxed.trim();
  const gives = hard.length > 0 ? HARD_GIVES_WAY : GIVES_WAY;
  const way = wish === "" ? "" : wordsIn(language, gives, { wish });
  return wordsIn(language, TRADEOFF, { wishes, how, detail, way });
}

const RESOLUTIONS: Readonly<Record<PlannedConflict["resolution"], Prompt>> = {
  preference: { en: "settled by a stated preference", zh: "按已说明的偏好处理" },
  relax: { en: "a soft wish gives way", zh: "放宽软性愿望" },
  compromise: { en: "settled by a compromise", zh: "折中处理" },
  ask: { en: "for a person to decide", zh: "由人决定" },
};

const LIKELY = definePrompt({
  en: '- {{left}} ("{{one}}") against {{right}} ("{{other}}")',
  zh: "- {{left}}（“{{one}}”）与{{right}}（“{{other}}”）",
});

const VERSUS = definePrompt({ en: " against ", zh: " 与 " });

const AND = definePrompt({ en: "; ", zh: "；" });

const OPEN = definePrompt({
  en: "{{wishes}}: {{detail}} ({{costs}})",
  zh: "{{wishes}}：{{detail}}（{{costs}}）",
});

const PRICE = definePrompt({
  en: 'the price of "{{wish}}": {{price}}',
  zh: "选择“{{wish}}”的代价：{{price}}",
});

const UNKNOWN_PRICE = definePrompt({ en: "not known", zh: "未知" });

const QUESTION = definePrompt({
  en: "These wishes can't both be met. {{conflict}} Which one matters more?",
  zh: "以下愿望无法同时满足。{{conflict}} 哪一个更重要？",
});

const DECIDED = definePrompt({
  en: "{{wishes}}: a person decided: {{reply}}",
  zh: "{{wishes}}：由人决定：{{reply}}",
});

const TRADEOFF = definePrompt({
  en: "{{wishes}}: {{how}}: {{detail}}{{way}}",
  zh: "{{wishes}}：{{how}}：{{detail}}{{way}}",
});

const GIVES_WAY = definePrompt({
  en: ' (gives way: "{{wish}}")',
  zh: "（让步的愿望：“{{wish}}”）",
});

const HARD_GIVES_WAY = definePrompt({
  en: ' (the hard constraint "{{wish}}" is relaxed)',
  zh: "（放宽了硬性约束“{{wish}}”）",
});
