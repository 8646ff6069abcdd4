import type { CommandFunction } from "../command.ts";
import { serveEditor } from "../lsp/server.ts";
import { rootFor } from "../open-app.ts";

/** Serves an editor until it ends the process. */
export const lsp: CommandFunction = (given) => {
  const root = given.has("root") ? { root: rootFor(given, "spec.yaml") } : {};
  serveEditor({ ...root, discovery: !given.has("no-discovery") });
  // The protocol ends the process, and so does the end of standard input.
  return new Promise(() => {});
};
