/** What the command exits with; the same table stands in `loopwright --help`. */
export const EXIT_CODES = {
  /** The run is done; the check found no error; the command did what it was asked. */
  done: 0,
  /** The run failed, or the command could not do what it was asked. */
  failed: 1,
  /** The run ended at a limit, or at a question that nobody answered; its partial answer stands. */
  limited: 2,
  /** The run was aborted. */
  aborted: 3,
  /** The spec, an input, a plugin or a missing key must be mended first. */
  invalid: 4,
  /** Reserved: the run waits for a person and can be taken up again. */
  suspended: 5,
  /** The command line itself is wrong. */
  usage: 64,
  /** Killed by a second Ctrl-C; many runs stopped by one. */
  killed: 130,
} as const;

/** One of the codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
