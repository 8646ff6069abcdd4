import { relative, sep } from "node:path";
import type { JsonObject } from "../contracts/json.ts";
import type { FileFault, ProviderDefinition } from "../contracts/provider.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { Position } from "../spec/text/position.ts";
import type { CompileContext } from "./compile-context.ts";
import type { ModelForm } from "./model-form.ts";

/** Reports what is wrong in the files that the options of a model name, each at its own place. */
export function inspectFiles(
  definition: ProviderDefinition,
  options: JsonObject,
  form: ModelForm,
  { diagnostics, root }: CompileContext,
): void {
  const { inspect } = definition;
  if (inspect === undefined || !isWhole(definition, options)) return;
  try {
    for (const fault of inspect(options as never)) {
      const [option = ""] = Object.entries(options).find(([, said]) => said === fault.file) ?? [];
      report(fault, option, form.entries.get(option)?.value ?? form.use.at, root, diagnostics);
    }
  } catch (cause) {
    const message = `\`${definition.id}\` fails on these options: ${messageOf(cause)}`;
    diagnostics.error("LW-PLUGIN-BROKEN", form.use.at, message, "tell the author of the plugin");
  }
}

/** An option that is missing or wrong is told elsewhere; what holds the id of a run is known only to the run. */
function isWhole({ options: { required = [] } }: ProviderDefinition, options: JsonObject): boolean {
  const isLate = Object.values(options).some(
    (said) => typeof said === "string" && said.includes("${run:"),
  );
  return !isLate && required.every((name) => Object.hasOwn(options, name));
}

function report(
  { file: absolute, line, column = 1, message, repair }: FileFault,
  option: string,
  at: Position,
  root: string,
  diagnostics: Diagnostics,
): void {
  const file = relative(root, absolute).split(sep).join("/");
  if (line === undefined) {
    diagnostics.error("LW-FILE-FORMAT", at, `in \`${file}\`: ${message}`, repair);
    return;
  }
  const said = at.file.startsWith("--") ? at.file : `\`${option}\` at ${at.file}:${at.line}`;
  diagnostics.error("LW-FILE-FORMAT", { file, line, column }, message, repair, [`by ${said}`]);
}
