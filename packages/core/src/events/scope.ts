/** Where in a run an event happens. */
export interface Scope {
  readonly spanId: string;
  readonly parentId: string;
  readonly key: string;
  readonly stage: string;
}
