import { dirname, resolve } from "node:path";
import { loadSpecSchema } from "@loopwright/core";
import type { CommandFunction } from "../command.ts";
import { usageError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { neutralizeName } from "../neutralize.ts";
import { openApp, rootFor } from "../open-app.ts";
import { makeFolder, writeTextFile } from "../write-file.ts";

/** Writes the JSON Schema of the specs of a project. */
export const schema: CommandFunction = async (given) => {
  const [stray] = given.positionals;
  if (stray !== undefined) throw usageError(`schema takes no \`${stray}\`; --out names a file`);
  const discovery = !given.has("no-discovery");
  const { app } = await openApp({ root: rootFor(given, "spec.yaml"), discovery });
  try {
    const { specSchema } = await loadSpecSchema();
    const text = `${JSON.stringify(specSchema(await app.definitions()), null, 2)}\n`;
    const out = given.text("out");
    if (out === undefined) process.stdout.write(text);
    else {
      const folder = dirname(resolve(out));
      if (makeFolder(folder))
        process.stderr.write(`loopwright: made the folder ${neutralizeName(folder)}\n`);
      writeTextFile(out, text);
    }
    return EXIT_CODES.done;
  } finally {
    await app.close();
  }
};
