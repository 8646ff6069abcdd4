import { COMPILING } from "./compiling-options.ts";

/** `loopwright batch --help`. */
export const BATCH: string = `usage: loopwright batch SPEC --from FILE [options]

Runs a spec on every row of a file: .csv, .tsv, .jsonl, .ndjson or .parquet. The
columns are the spec's inputs by name. Each row with a value becomes a line of
the output, each other one a dead letter. The same command goes on where an
earlier one stopped, also after a crash; a bad row stops nothing.

  --from FILE             the rows
  --to FILE               the values, JSON Lines (default: FROM.out.jsonl)
  --dead-letters FILE     the rows without a value (default: what the spec's
                          output says, else beside --to: NAME.dead.jsonl)
  --parallel N            rows at a time (default: 4)
  --limit N               the first N rows alone
  --usd N                 begin no row once so many dollars are spent
  --model-calls N         begin no row once so many calls are made
  --task TEXT             the task of each row, with {{ column }} in it; else a
                          column \`task\`, where the spec says none
  --keep COLUMN           of the columns that are no inputs, give back this one
                          (repeatable; default: all)
  --delimiter C           of a .csv file, or \`tab\` (default: as its header)
  --retry-failed          run the rows with a dead letter again, also from a
                          file in which nothing but these rows was mended
  --restart               begin again: drops the output and its dead letters; a
                          file that no batch wrote is left alone
  --anyway                go on though the spec or the rows' file changed
  --compare OVERLAY       run all rows under this overlay; given several times,
                          prints a table of them, one line an overlay
${COMPILING}  --overlay NAME          lay one of the spec's overlays over it (repeatable)
  --dry-run               tools act on nothing
  --yes                   approve every tool call that asks. You answer for it.
  --json                  the summary as one JSON object
  -q, --quiet             no progress, only the summary

Ctrl-C stops it and aborts the rows under way, which run again the next time.

examples
  loopwright batch reviews.yaml --from reviews.csv --parallel 8 --usd 5
  loopwright batch reviews.yaml --from reviews.csv --retry-failed
  loopwright batch reviews.yaml --from reviews.csv --compare a --compare b

exit: 0 every row has a value, 1 some have none, 2 stopped by --usd or
--model-calls, 4 spec or rows' file wrong, 130 interrupted
`;
