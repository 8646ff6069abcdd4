import {
  type Constraint,
  definePrompt,
  type Language,
  type Prompt,
  wordsIn,
} from "@loopwright/core/plugin";
import { plainText } from "./plain-words.ts";
import type { PlannedConflict } from "./planned-conflict.ts";

/** A conflict in words for a person, with the price of each side. */
export function conflictText(conflict: PlannedConflict, language: Language): string {
  const { between, detail, prices } = conflict;
  if (between.length < 2) return detail;
  const costs = between.map((wish, index) => {
    const price = (prices[index] ?? "").trim();
    return wordsIn(language, PRICE, { wish, price: price || wordsIn(language, UNKNOWN_PRICE) });
  });
  const wishes = headOf(conflict, language);
  return wordsIn(language, OPEN, { wishes, detail, costs: costs.join(wordsIn(language, AND)) });
}

/** The question that a person is asked about a conflict; the replies to choose from are its wishes. */
export function conflictQuestion(conflict: PlannedConflict, language: Language): string {
  return wordsIn(language, QUESTION, { conflict: conflictText(conflict, language) });
}

/** What a person decided, in words for the plan. */
export function decisionText(conflict: PlannedConflict, reply: string, language: Language): string {
  return wordsIn(language, DECIDED, { wishes: headOf(conflict, language), reply });
}

/** How a conflict is settled without a person, in words for the plan; `hard` are the constraints that give way. */
export function tradeoffText(
  conflict: PlannedConflict,
  hard: readonly Constraint[],
  language: Language,
): string {
  const { resolution, relaxed, detail } = conflict;
  const wishes = headOf(conflict, language);
  const how = wordsIn(language, RESOLUTIONS[resolution]);
  const wish = hard.length > 0 ? hard.map(({ text }) => text).join("; ") : relaxed.trim();
  const gives = hard.length > 0 ? HARD_GIVES_WAY : GIVES_WAY;
  const way = wish === "" ? "" : wordsIn(language, gives, { wish });
  return wordsIn(language, TRADEOFF, { wishes, how, detail, way });
}

/** True when a text of a plan is about the wishes of a conflict. */
export function isAbout(text: string, conflict: PlannedConflict, language: Language): boolean {
  const { between, detail } = conflict;
  const said = withoutStops(text);
  if (between.length < 2) return detail.trim() !== "" && said === withoutStops(detail);
  return [between, between.toReversed()].some((wishes) =>
    said.startsWith(`${withoutStops(wishes.join(wordsIn(language, VERSUS)))}:`),
  );
}

/** True when one of the texts is what a person decided about a conflict. */
export function isDecided(
  texts: readonly string[],
  conflict: PlannedConflict,
  language: Language,
): boolean {
  return texts.some((text) => {
    const [about = ""] = plainText(text).split(decisionMarker(language), 1);
    if (!isDecision(text, language)) return false;
    return isAbout(text, conflict, language) || isAbout(about, conflict, language);
  });
}

/** True for a text that tells what a person decided. */
export function isDecision(text: string, language: Language): boolean {
  return plainText(text).includes(decisionMarker(language));
}

function decisionMarker(language: Language): string {
  return plainText(wordsIn(language, DECIDED, { wishes: "", reply: "" }));
}

/** A text of several sayings, without the stops at the end of each. */
function withoutStops(text: string): string {
  return plainText(text).replaceAll(/[.。!;,"”“]+(?=[\s:]|$)/gu, "");
}

/** What a conflict is about: its wishes, or what is said of it where it names none. */
function headOf({ between, detail }: PlannedConflict, language: Language): string {
  return between.length < 2 ? detail : between.join(wordsIn(language, VERSUS));
}

const RESOLUTIONS: Readonly<Record<PlannedConflict["resolution"], Prompt>> = {
  preference: { en: "settled by a stated preference", zh: "按已说明的偏好处理" },
  relax: { en: "a soft wish gives way", zh: "放宽软性愿望" },
  compromise: { en: "settled by a compromise", zh: "折中处理" },
  ask: { en: "for a person to decide", zh: "由人决定" },
};

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
