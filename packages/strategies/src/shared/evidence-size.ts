import { type TSchema, Type } from "@loopwright/core/plugin";

/** The option of strategies whose calls build on each other. */
export const maxEvidenceChars: TSchema & { readonly static: number } = Type.Integer({
  description: "The most characters of one result inside the arguments of a later call.",
  default: 2000,
  minimum: 50,
  maximum: 100_000,
});
