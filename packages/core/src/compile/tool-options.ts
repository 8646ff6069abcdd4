import type { JsonObject, JsonSchema } from "../contracts/json.ts";
import type { OptionsProblem } from "../contracts/options-problem.ts";
import type { ToolDefinition } from "../contracts/tool.ts";
import { reportNotYet } from "../spec/document/not-yet.ts";
import type { NamedEntry } from "../spec/document/named-entries.ts";
import type { CompileContext } from "./compile-context.ts";

/** The arguments of a tool with these options, which must be sound. */
export function inputSchemaOf(
  input: ToolDefinition["input"],
  options: JsonObject,
  said: NamedEntry,
  context: CompileContext,
): JsonSchema {
  if (typeof input !== "function") return input;
  try {
    return input(options as never);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `\`${said.use.id}\` cannot say what it takes: ${reason}`;
    context.diagnostics.error(
      "LW-PLUGIN-BROKEN",
      said.at,
      message,
      "tell the author of the plugin",
    );
    return {};
  }
}

/** Reports options that a tool could not be made with; they are sound each for itself. */
export function reportToolOptions(
  { validate }: ToolDefinition,
  options: JsonObject,
  said: NamedEntry,
  context: CompileContext,
): void {
  if (validate === undefined) return;
  const { diagnostics } = context;
  const problems = problemsOf(() => validate(options as never), said, context);
  for (const { message, option, severity, repair } of problems) {
    const at = (option === undefined ? undefined : said.body.entries.get(option)?.key) ?? said.at;
    const told = `\`${said.name}\`: ${message}`;
    if (severity === "not-yet") reportNotYet(at, message, diagnostics);
    else if (severity === "warning") diagnostics.warn("LW-TOOL-OPTIONS", at, told, repair);
    else diagnostics.error("LW-TOOL-OPTIONS", at, told, repair);
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
