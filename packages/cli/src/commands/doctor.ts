import type { CommandFunction } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { projectHealth } from "../project-health.ts";
import { readSettings } from "../read-settings.ts";
import { healthText } from "../report/health-text.ts";

/** Tells what specs need to run here, and what of it is missing. */
export const doctor: CommandFunction = async (given) => {
  const specs = given.positionals;
  const roots = new Set(specs.map((spec) => rootFor(given, spec)));
  if (roots.size > 1) {
    throw new CommandError(
      "these specs belong to several projects; ask for each project's by itself",
    );
  }
  // Without a spec as for one that lies in the working folder.
  const root = [...roots][0] ?? rootFor(given, "spec.yaml");
  const opened = await openApp({ root, discovery: !given.has("no-discovery") });
  try {
    const health = await projectHealth(opened, specs, readSettings(given));
    if (given.has("json")) printJson(health);
    else process.stdout.write(healthText(health));
    return health.isWell ? EXIT_CODES.done : EXIT_CODES.failed;
  } finally {
    await opened.app.close();
  }
};
