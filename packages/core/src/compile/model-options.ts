import type { JsonObject } from "../contracts/json.ts";
import type { OptionsProblem } from "../contracts/options-problem.ts";
import type { ProviderDefinition, ProviderSetup } from "../contracts/provider.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import type { CompileContext } from "./compile-context.ts";
import type { ModelForm } from "./model-form.ts";

/** Reports options with which no call of a model could be made; they are sound each for itself. */
export function reportModelOptions(
  definition: ProviderDefinition,
  options: JsonObject,
  setup: ProviderSetup,
  form: ModelForm,
  { diagnostics }: CompileContext,
): void {
  for (const { message, option, severity, repair } of problemsOf(definition, options, setup)) {
    const at = (option === undefined ? undefined : form.entries.get(option)?.value) ?? form.use.at;
    const told = `\`${form.use.text}\`: ${message}`;
    if (severity === "warning") diagnostics.warn("LW-MODEL-OPTIONS", at, told, repair);
    else diagnostics.error("LW-MODEL-OPTIONS", at, told, repair);
  }
}

// A fault of a plugin's code is told, not thrown.
function problemsOf(
  { id, validate }: ProviderDefinition,
  options: JsonObject,
  setup: ProviderSetup,
): readonly OptionsProblem[] {
  try {
    return validate?.(options as never, setup) ?? [];
  } catch (cause) {
    const message = `\`${id}\` fails on these options: ${messageOf(cause)}`;
    return [{ message, repair: "tell the author of the plugin" }];
  }
}
