import type { Run } from "@loopwright/core";
import type { CallSigns, EndpointRest } from "./endpoint-rest.ts";
import { type RowInput, type RowSetting, runRow, type RunEnd } from "./run-row.ts";

type FailedEnd = Extract<RunEnd, { readonly kind: "failed" }>;

/** How an item is run whose endpoint may rest. */
export interface RestedSetting {
  readonly rest: EndpointRest;
  readonly setting: RowSetting;
  readonly mayBegin: () => boolean;
  /** Called with a run that only the rest of its endpoint ended, before the next one. */
  readonly onHeldOff: (end: FailedEnd) => Promise<void>;
  /** Called with the end that holds, before others begin. */
  readonly onEnd: (end: RunEnd) => Promise<void>;
}

/** So often an item asks a model, and ends only because its endpoint rests. */
const MAX_TRIES = 5;
/** So often it is begun at all: one that asked nothing took nothing, and may have been held off behind another. */
const MAX_BEGUN = 200;

/** Runs an item when its endpoint rests no more, again where only such a rest ended it; one that may not begin is left. */
export async function runRested(
  { rest, setting, mayBegin, onHeldOff, onEnd }: RestedSetting,
  item: RowInput,
): Promise<void> {
  let tries = 0;
  for (let begun = 1; ; begun++) {
    const pass = await rest.enter();
    try {
      if (!mayBegin()) return;
      let signs: CallSigns | undefined;
      const onRun = (run: Run): void => {
        signs = rest.watch(run, pass);
        setting.onRun(run);
      };
      const end = await runRow({ ...setting, onRun }, item);
      const isHeldOff = rest.take(end, signs, pass);
      if (!isHeldOff || end.kind !== "failed") return await onEnd(end);
      if (end.outcome.spending.modelCalls > 0) tries += 1;
      if (tries === MAX_TRIES || begun === MAX_BEGUN) return await onEnd(end);
      await onHeldOff(end);
    } finally {
      pass.leave();
    }
  }
}
