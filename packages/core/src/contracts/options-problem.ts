/** Options that do not fit each other; `option` is where it is reported, the plugin's own place without. */
export interface OptionsProblem {
  readonly message: string;
  readonly option?: string;
}
