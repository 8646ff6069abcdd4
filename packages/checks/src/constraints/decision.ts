/** What a constraint's own wording decides about an answer; undefined where it decides nothing. */
export type Decision =
  | { readonly isMet: true }
  | { readonly isMet: false; readonly detail: string; readonly requiredAction: string };

/** The texts of an answer that a constraint is held against. */
export interface Judged {
  /** Everything the answer says. */
  readonly texts: readonly string[];
  /** The text a person reads, where there is just one. */
  readonly prose: string | undefined;
}
