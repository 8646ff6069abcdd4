import { type TSchema, Type } from "@loopwright/core/plugin";

/** Declares text that is one of a few words, as the plain `enum` that every endpoint understands. */
export function oneOf<const T extends string>(
  words: readonly T[],
  extra: { readonly description: string; readonly default?: NoInfer<T> },
): TSchema & { readonly static: T } {
  return Type.Unsafe<T>({ type: "string", enum: [...words], ...extra });
}
