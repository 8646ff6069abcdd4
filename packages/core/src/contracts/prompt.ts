import { InternalError } from "../errors/loopwright-error.ts";

/** The languages in which core and the built-in strategies speak to a model. */
export type Language = "en" | "zh";

/**
 * Words for a model in every language; each `{{name}}` in them is a place that is filled when they are said.
 *
 * `P` holds the names of the places.
 */
export interface Prompt<P extends string = never> {
  readonly en: string;
  readonly zh: string;
  /** Of no use at run time: it makes prompts with other places another type. */
  readonly places?: (name: P) => void;
}

type PlacesOf<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | PlacesOf<Rest>
  : never;

/**
 * Declares words for a model in every language.
 *
 * Throws an InternalError `contract-broken` where the languages have different places, so that the module does not load.
 */
export function definePrompt<const E extends string>(words: {
  readonly en: E;
  readonly zh: string;
}): Prompt<PlacesOf<E>> {
  const [here, there] = [placesIn(words.en), placesIn(words.zh)];
  const odd = [...here, ...there].filter((name) => !here.has(name) || !there.has(name));
  if (odd.length > 0)
    throw new InternalError(
      "contract-broken",
      `a prompt has other places in English than in Chinese (${[...new Set(odd)].join(", ")}): "${words.en.slice(0, 60)}"; write each \`{{name}}\` in both`,
    );
  return words;
}

/** What fills the places of a prompt; nothing where it has none. */
export type PromptValues<P extends string> = [P] extends [never]
  ? readonly []
  : readonly [values: Readonly<Record<P, string | number>>];

/** The words of a prompt in one language, its places filled; what fills them is not read again. */
export function wordsIn<P extends string>(
  language: Language,
  prompt: Prompt<P>,
  ...[values]: PromptValues<P>
): string {
  const text = prompt[language];
  if (values === undefined) return text;
  const named = values as Readonly<Record<string, string | number>>;
  return text.replaceAll(PLACE, (place, name: string) => String(named[name] ?? place));
}

const PLACE = /\{\{(\w+)\}\}/g;

function placesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(PLACE)].map((match) => match[1] ?? ""));
}
