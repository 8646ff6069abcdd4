import { explainProgram, formatExplain } from "@loopwright/core";
import { stringify } from "yaml";
import { refusePositionals } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { checkProgram } from "../compile-program.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { readSettings } from "../read-settings.ts";

const PIPE_COLUMNS = 100;

/** Shows what a spec compiles to. */
export const explain: CommandFunction = async (given) => {
  const [spec, ...extra] = given.positionals;
  if (spec === undefined) {
    throw usageError("explain needs a spec, like loopwright explain agent.yaml");
  }
  refusePositionals("explain", extra);
  const discovery = !given.has("no-discovery");
  const opened = await openApp({ root: rootFor(given, spec), discovery });
  try {
    const program = await checkProgram(opened, spec, readSettings(given));
    if (given.has("spec")) {
      const { canonical } = program;
      if (given.has("json")) printJson(canonical);
      else
        process.stdout.write(stringify(canonical, { lineWidth: 0, aliasDuplicateObjects: false }));
    } else if (given.has("json")) printJson(explainProgram(program));
    else {
      const columns = process.stdout.columns ?? PIPE_COLUMNS;
      process.stdout.write(`${formatExplain(explainProgram(program), columns)}\n`);
    }
    return EXIT_CODES.done;
  } finally {
    await opened.app.close();
  }
};
