/** What is switched off on a live run. */
export interface Switches {
  /** True where the stage is skipped from its next start on. */
  isStageOff(id: string): boolean;
  /** True where the tool is not called: its fallback stands in, or the model is told. */
  isToolOff(name: string): boolean;
}

/** Nothing is off. */
export const NO_SWITCHES: Switches = { isStageOff: () => false, isToolOff: () => false };
