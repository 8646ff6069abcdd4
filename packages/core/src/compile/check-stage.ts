import type { JsonObject, JsonSchema } from "../contracts/json.ts";
import type { Flow, StageFacts } from "../contracts/strategy.ts";
import { markerOf, propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { reportNotYet } from "../spec/document/not-yet.ts";
import type { ToolEntry } from "../program/program.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import type { ReadStage } from "./stage-tree.ts";
import type { Cost } from "./cost.ts";
import { ownGenerations } from "./stage-bounds.ts";
import { type StageModels, voicesUsed, warnOfSilentVoices } from "./stage-voices.ts";
import { slotNamesOf } from "./slot-forms.ts";

/** Asks a strategy about its options; a fault of its code is told, not thrown. */
export function askPlugin<T>(
  stage: ReadStage,
  question: () => T,
  otherwise: T,
  diagnostics: Diagnostics,
): T {
  try {
    return question();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `\`${stage.strategy}\` fails on these options: ${reason}`;
    diagnostics.error("LW-PLUGIN-BROKEN", stage.at, message, "tell the author of the plugin");
    return otherwise;
  }
}

/** Reports a strategy that names no bound, or one below its own children's: nothing may be unbounded. */
export function reportUnbounded(
  stage: ReadStage,
  cost: Cost,
  children: readonly Cost[],
  diagnostics: Diagnostics,
): void {
  const { generations, toolCalls } = cost.bounds;
  const isBounded = [generations, toolCalls, cost.requests].every((range) =>
    range.every((count) => Number.isFinite(count) && count >= 0),
  );
  const holdsChildren = children.every(
    ({ bounds }) => bounds.generations[1] <= generations[1] && bounds.toolCalls[1] <= toolCalls[1],
  );
  if (isBounded && holdsChildren) return;
  if (isBounded) {
    const message = `the bounds of \`${stage.strategy}\` are below those of a stage inside it`;
    diagnostics.error("LW-PLUGIN-BROKEN", stage.at, message, "tell the author of the plugin");
    return;
  }
  const message = `\`${stage.strategy}\` says no bound for what it may cost`;
  diagnostics.error("LW-LIMIT-UNBOUNDED", stage.at, message, "bound it by its options");
}

/** What a strategy may look at beside its stage when its options are checked. */
type FactsAround = Omit<StageFacts, "slots" | "noModel">;

/** Gathers that for a stage that may call the named tools. */
export function factsAround(
  names: readonly string[],
  around: {
    readonly tools: ReadonlyMap<string, ToolEntry>;
    readonly outputSchema: JsonSchema | undefined;
  },
): FactsAround {
  const tools = names.map((tool) => {
    const found = around.tools.get(tool);
    const use = found?.definition.id ?? tool;
    if (found === undefined || found.definition.set !== undefined) return { tool, use };
    return { tool, use, takes: Object.keys((found.input["properties"] ?? {}) as object) };
  });
  const { outputSchema } = around;
  return { tools, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

/** Reports a stage without the model that it needs, and options that contradict each other. */
export function checkStage(
  stage: ReadStage,
  voices: StageModels,
  options: JsonObject,
  around: FactsAround,
  diagnostics: Diagnostics,
): void {
  checkModels(stage, voices, options, diagnostics);
  warnOfSilentVoices(stage, options, diagnostics);
  const slots = slotNamesOf(stage.slots.keys());
  validate(stage, options, { ...around, slots, noModel: voices.noModel }, diagnostics);
}

function checkModels(
  stage: ReadStage,
  voices: StageModels,
  options: JsonObject,
  diagnostics: Diagnostics,
): void {
  const { definition } = stage;
  // So nearly every stage; what it costs alone need not be asked then.
  if (!voices.noModel && (voices.isBroken || voices.models["default"] !== undefined)) return;
  const own = ownGenerations(definition, options, stage.slots.keys());
  const at: SpecNode = entry(stage.settings, "model") ?? stage.at;
  if (voices.noModel) {
    const judgesByChecks = [...propertiesOf(asJsonSchema(definition.options)).values()].some(
      (schema) => markerOf(schema)?.kind === "checks",
    );
    if (judgesByChecks || definition.canRunWithoutModel === true || own[1] === 0) return;
    diagnostics.error(
      "LW-STAGE-NO-MODEL",
      at,
      `\`${stage.strategy}\` needs a model; \`none\` is for stages that judge by checks alone`,
      "write `model: default`, provider/name or a role, or delete `model`",
    );
    return;
  }
  if (own[1] === 0) return;
  const used = voicesUsed(stage, options);
  const missing = used.filter((voice) => voices.models[voice] === undefined);
  if (used.length > 0 && missing.length === 0) return;
  const isPartial = missing.length > 0 && missing.length < used.length;
  const message = isPartial
    ? `\`${stage.strategy}\` has no model for ${missing.map((voice) => `\`${voice}\``).join(" and ")}`
    : `\`${stage.strategy}\` needs a model and none is given`;
  diagnostics.error(
    "LW-STAGE-NO-MODEL",
    at,
    message,
    "write `model: provider/name` at the top of the spec or in the stage",
  );
}

function validate(
  stage: ReadStage,
  options: JsonObject,
  facts: StageFacts,
  diagnostics: Diagnostics,
): void {
  if (stage.definition.validate === undefined) return;
  const problems = stage.definition.validate(options as never, facts);
  for (const { message, option, severity, repair } of problems) {
    const said = option === undefined ? undefined : saidOption(stage, option);
    const at = said?.key ?? stage.at;
    const text = `\`${stage.strategy}\`: ${message}`;
    if (severity === "not-yet") reportNotYet(at, partOf(stage, option, said?.value), diagnostics);
    else if (severity === "warning") diagnostics.warn("LW-STAGE-OPTIONS", at, text, repair);
    else diagnostics.error("LW-STAGE-OPTIONS", at, text, repair);
  }
}

function saidOption(
  { options, settings, childNames }: ReadStage,
  option: string,
): { readonly key: SpecNode; readonly value?: SpecNode } | undefined {
  const slot = childNames.get(option);
  return (
    options.entries.get(option) ??
    settings.entries.get(option) ??
    (slot === undefined ? undefined : { key: slot })
  );
}

/** A part of the language as diagnostics name it: `method: cove-joint` of a stage. */
function partOf(stage: ReadStage, option: string | undefined, said: SpecNode | undefined): string {
  const value = said?.kind === "scalar" ? `: ${said.text}` : "";
  return option === undefined ? stage.strategy : `${stage.strategy}.${option}${value}`;
}

/** Whether a stage calls tools. */
export function writesObservations(flow: Flow): boolean {
  return [flow.maySet, flow.sets].some((fields) => fields?.includes("observations") === true);
}
