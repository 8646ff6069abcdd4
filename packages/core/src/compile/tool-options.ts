import type { JsonObject } from "../contracts/json.ts";
import type { OptionsProblem } from "../contracts/options-problem.ts";
import type { ToolDefinition } from "../contracts/tool.ts";
import type { NamedEntry } from "../spec/document/named-entries.ts";
import type { CompileContext } from "./compile-context.ts";

/** Reports options that a tool could not be made with. */
export function reportToolOptions(
  { validate }: ToolDefinition,
  options: JsonObject,
  said: NamedEntry,
  context: CompileContext,
): void {
  if (validate === undefined || context.diagnostics.hasErrors) return;
  for (const { message, option } of problemsOf(() => validate(options as never), said, context)) {
    const at = option === undefined ? undefined : said.body.entries.get(option)?.key;
    context.diagnostics.error("LW-TOOL-OPTIONS", at ?? said.at, `\`${said.name}\`: ${message}`);
  }
}

// A fault of a plugin's code is told, not thrown.
function problemsOf(
  find: () => readonly OptionsProblem[],
  said: NamedEntry,
  context: CompileContext,
): readonly OptionsProblem[] {
  try {
    return find();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `\`${said.use.id}\` fails on these options: ${reason}`;
    context.diagnostics.error(
      "LW-PLUGIN-BROKEN",
      said.at,
      message,
      "tell the author of the plugin",
    );
    return [];
  }
}
