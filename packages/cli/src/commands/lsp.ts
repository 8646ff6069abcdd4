import type { CommandFunction } from "../command.ts";
import { serveEditor } from "../lsp/server.ts";
import { rootFor } from "../open-app.ts";
import { hasRoom, runWithRoom } from "../lsp/roomy-process.ts";

/** Serves an editor until it ends the process. */
export const lsp: CommandFunction = async (given) => {
  const code = hasRoom() ? undefined : await runWithRoom();
  if (code !== undefined) process.exit(code);
  const root = given.has("root") ? { root: rootFor(given, "spec.yaml") } : {};
  serveEditor({ ...root, discovery: !given.has("no-discovery") });
  // The protocol ends the process, and so does the end of standard input.
  return new Promise(() => {});
};
