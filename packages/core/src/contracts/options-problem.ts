/** Options that do not fit each other; `option` is where it is reported, the plugin's own place without. */
export interface OptionsProblem {
  readonly message: string;
  /** What to write instead. */
  readonly repair?: string;
  readonly option?: string;
  /** An error unless told otherwise; `not-yet` is a part of the language that this version can't run. */
  readonly severity?: "error" | "warning" | "not-yet";
}
