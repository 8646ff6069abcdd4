/** A pure token reads nothing outside the process and changes nothing; strategies and checks may ask for these only. */
export type Purity = "pure" | "effect";

/** A typed reference to a service: type, key and name at once. Equal ids are equal tokens, also across copies of a package. */
export interface Token<T, P extends Purity = Purity> {
  readonly id: string;
  readonly symbol: symbol;
  readonly purity: P;
  /** Never set; carries the type. */
  readonly service?: T;
}

/** Declares a token; `id` is `package/name` in kebab-case. */
export function defineToken<T>(id: string): Token<T, "effect">;
export function defineToken<T>(id: string, purity: "pure"): Token<T, "pure">;
export function defineToken<T>(id: string, purity: Purity = "effect"): Token<T> {
  return { id, symbol: Symbol.for(`loopwright:service:${id}`), purity };
}

/** What a plugin asks for, by name. */
export type Inject<P extends Purity = Purity> = Readonly<Record<string, Token<unknown, P>>>;

/** The services that an inject map yields. */
export type Services<I> = { readonly [K in keyof I]: I[K] extends Token<infer T> ? T : never };
