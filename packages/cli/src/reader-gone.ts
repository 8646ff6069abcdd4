type Stop = (reason: string) => void;

let stopRun: Stop | undefined;

/** From now on a reader that goes away ends the run by `stop`; the process then ends by itself, with all sinks closed. */
export function stopWhenReaderGone(stop: Stop): void {
  stopRun = stop;
}

/** Tells that nobody reads what is printed; false where no run is there to be ended. May be told again and again. */
export function tellReaderGone(): boolean {
  stopRun?.("nobody reads the output any more");
  return stopRun !== undefined;
}
