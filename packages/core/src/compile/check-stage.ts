import type { JsonObject } from "../contracts/json.ts";
import type { Flow } from "../contracts/strategy.ts";
import { markerOf, propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import type { ReadStage } from "./read-stages.ts";
import { type Cost, ownGenerations } from "./stage-bounds.ts";
import type { StageModels } from "./stage-voices.ts";

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
  children: Iterable<Cost>,
  diagnostics: Diagnostics,
): void {
  const { generations, toolCalls } = cost.bounds;
  const isBounded = [...generations, ...toolCalls, ...cost.requests].every(
    (count) => Number.isFinite(count) && count >= 0,
  );
  const holdsChildren = [...children].every(
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

/** Reports a stage without the model that it needs, and options that contradict each other. */
export function checkStage(
  stage: ReadStage,
  voices: StageModels,
  options: JsonObject,
  diagnostics: Diagnostics,
): void {
  checkModels(stage, voices, options, diagnostics);
  validate(stage, options, voices.noModel, diagnostics);
}

function checkModels(
  stage: ReadStage,
  voices: StageModels,
  options: JsonObject,
  diagnostics: Diagnostics,
): void {
  const { definition } = stage;
  const own = ownGenerations(definition, options, stage.slots.keys());
  const at: SpecNode = entry(stage.settings, "model") ?? stage.at;
  if (voices.noModel) {
    const judgesByChecks = [...propertiesOf(asJsonSchema(definition.options)).values()].some(
      (schema) => markerOf(schema)?.kind === "checks",
    );
    if (judgesByChecks || own[1] === 0) return;
    diagnostics.error(
      "LW-STAGE-NO-MODEL",
      at,
      `\`${stage.strategy}\` needs a model; \`none\` is for stages that judge by checks alone`,
    );
    return;
  }
  if (own[1] === 0 || voices.isBroken || voices.models["default"] !== undefined) return;
  const missing = definition.voices.filter((voice) => voices.models[voice] === undefined);
  if (definition.voices.length > 0 && missing.length === 0) return;
  const isPartial = missing.length > 0 && missing.length < definition.voices.length;
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
  noModel: boolean,
  diagnostics: Diagnostics,
): void {
  const problems =
    stage.definition.validate?.(options as never, { slots: [...stage.slots.keys()], noModel }) ??
    [];
  for (const { message, option } of problems) {
    const said =
      option === undefined
        ? undefined
        : (stage.options.entries.get(option) ?? stage.settings.entries.get(option));
    diagnostics.error(
      "LW-STAGE-OPTIONS",
      said?.key ?? stage.at,
      `\`${stage.strategy}\`: ${message}`,
    );
  }
}

/** Whether a stage calls tools. */
export function writesObservations(flow: Flow): boolean {
  return [...(flow.maySet ?? []), ...(flow.sets ?? [])].includes("observations");
}

/** Warns of a stage that acts without tools, and of samples that will be alike. */
export function warnOfStage(
  stage: ReadStage,
  voices: StageModels,
  flow: Flow,
  tools: readonly string[],
  isSampled: boolean,
  diagnostics: Diagnostics,
): void {
  if (writesObservations(flow) && tools.length === 0) {
    diagnostics.warn(
      "LW-STAGE-NO-TOOLS",
      stage.at,
      `\`${stage.strategy}\` acts, and there is no tool that it may call`,
      "list tools under `tools`",
    );
  }
  const samplesItself = Object.entries(stage.definition.slots).some(
    ([name, slot]) => slot.sampled && !stage.slots.has(name),
  );
  const cold = Object.values(voices.models).find((model) => model.sampling.temperature === 0);
  if ((isSampled || samplesItself) && cold !== undefined && !samplesByOthers(stage)) {
    diagnostics.warn(
      "LW-MODEL-ALIKE-SAMPLES",
      stage.at,
      `samples of \`${stage.strategy}\` at temperature 0 will be alike`,
      "give it a model with a higher temperature",
    );
  }
}

// A stage that fans out over a given slot leaves the sampling to that slot's stages.
function samplesByOthers(stage: ReadStage): boolean {
  return Object.entries(stage.definition.slots).some(
    ([name, slot]) => slot.sampled && stage.slots.has(name),
  );
}
