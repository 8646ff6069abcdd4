#!/usr/bin/env node
import { runCommandLine } from "./command-line.ts";
import { tellReaderGone } from "./reader-gone.ts";
import { tellFault } from "./tell-fault.ts";

/** What still holds the process open after the command has ended gets this long. */
const LINGER_MS = 1000;

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (fault: NodeJS.ErrnoException) => {
    // The reader went away, as `head` does: there is nobody left to tell.
    if (fault.code === "EPIPE") {
      if (!tellReaderGone()) process.exit();
      return;
    }
    if (stream === process.stdout) {
      const why = fault.code === "ENOSPC" ? "the disk is full" : String(fault.code);
      process.stderr.write(`loopwright: the output can't be written: ${why}\n`);
    }
    process.exit(1);
  });
}
process.on("uncaughtException", (fault) => {
  process.exit(tellFault(fault, process.argv));
});
try {
  process.exitCode = await runCommandLine(process.argv.slice(2));
} catch (fault) {
  process.exitCode = tellFault(fault, process.argv);
}
setTimeout(() => process.exit(), LINGER_MS).unref();
