/** How a model is told to think: not at all, by a number of tokens, or by an effort while it decides how much. */
type ThinkingStyle = "none" | "budget" | "adaptive";

/** What a request must know of a model. */
export interface ModelTraits {
  readonly thinking: ThinkingStyle;
  /** Whether it thinks where a request says nothing about it. */
  readonly thinksUnasked: boolean;
  /** Whether it can be told not to think. */
  readonly canStopThinking: boolean;
  readonly takesTemperature: boolean;
  /** The most tokens that it writes, where that is little. */
  readonly mostTokens?: number;
  /** Whether it takes a schema for its text. */
  readonly takesSchema: boolean;
}

const old: ModelTraits = {
  thinking: "none",
  thinksUnasked: false,
  canStopThinking: true,
  takesTemperature: true,
  takesSchema: false,
};
const oldest: ModelTraits = { ...old, mostTokens: 4_096 };
const budget: ModelTraits = { ...old, thinking: "budget" };
const budgetWithSchema: ModelTraits = { ...budget, takesSchema: true };
const adaptive: ModelTraits = { ...budgetWithSchema, thinking: "adaptive" };
const adaptiveOnly: ModelTraits = { ...adaptive, takesTemperature: false };
const thinker: ModelTraits = { ...adaptiveOnly, thinksUnasked: true };
const constantThinker: ModelTraits = { ...thinker, canStopThinking: false };

/**
 * Traits by family and version, the first that fits; a later model of a family is taken to be like the last one known.
 * Other vendors that speak this protocol take a budget.
 */
const FAMILIES: readonly (readonly [RegExp, ModelTraits])[] = [
  [/claude-(?:fable|mythos)/, constantThinker],
  [/claude-3-5/, old],
  [/claude-(?:3-opus|3-sonnet|3-haiku|2|instant)/, oldest],
  [/claude-3-7/, budget],
  [/claude-(?:sonnet|opus)-4(?:-0(?!\d)|[-@]\d{8}|$)/, budget],
  [/claude-(?:opus-4-1|\w+-4-5)(?!\d)/, budgetWithSchema],
  [/claude-\w+-4-6(?!\d)/, adaptive],
  [/claude-\w+-4-\d/, adaptiveOnly],
  [/claude-/, thinker],
];

/** What is known of a model by its name; vendors' prefixes and dates around it do not matter. */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase();
  return FAMILIES.find(([family]) => family.test(name))?.[1] ?? budgetWithSchema;
}
