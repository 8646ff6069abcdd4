/** `loopwright --help`, before and after the list of commands. */
export const USAGE = `loopwright: agents declared in YAML, checked, compiled, run

usage: loopwright COMMAND …    loopwright COMMAND --help    loopwright --version
`;

/** What the exit codes mean. */
export const EXITS = `exit codes
  0 done   1 failed   2 limited   3 aborted   4 spec or input wrong
  5 suspended (reserved)   64 command line wrong   130 killed by Ctrl-C twice,
  or \`batch\` stopped by one

LOOPWRIGHT_DEBUG=1 adds stack traces to messages; NO_COLOR takes colours away.
`;
