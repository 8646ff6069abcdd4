import type { ListedPlugin } from "@loopwright/core";
import { refusePositionals } from "../arguments.ts";
import type { CommandFunction } from "../command.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { neutralize } from "../neutralize.ts";
import { openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { tableText } from "../table-text.ts";

/** Lists every plugin that a spec of the project may name. */
export const plugins: CommandFunction = async (given) => {
  refusePositionals("plugins", given.positionals);
  const { app } = await openApp({
    // As for a spec that lies in the working folder.
    root: rootFor(given, "spec.yaml"),
    discovery: !given.has("no-discovery"),
  });
  const { plugins: listed, broken } = app.plugins();
  await app.close();
  if (given.has("json")) {
    printJson({ plugins: listed, broken: Object.fromEntries(broken) });
    return EXIT_CODES.done;
  }
  const rows = listed.map((plugin) => [plugin.kind, idOf(plugin), plugin.package]);
  process.stdout.write(tableText([["KIND", "ID", "PACKAGE"], ...rows]));
  for (const [name, why] of broken) {
    process.stdout.write(neutralize(`\nbroken: ${name}: ${why}\n`));
  }
  return EXIT_CODES.done;
};

function idOf({ id, profiles }: ListedPlugin): string {
  return profiles.length === 0 ? id : `${id} (also ${profiles.join(", ")})`;
}
