import type { JsonObject } from "../contracts/json.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import type { MapNode, SpecNode } from "../spec/text/spec-node.ts";
import type { Template } from "../spec/text/template.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { bareRecord } from "../program/bare-record.ts";
import type { ModelTable } from "./compile-models.ts";
import type { ReadStage } from "./stage-tree.ts";
import type { ModelEntry } from "../program/program.ts";

/** The models of a stage by voice, and whether it says `none`. */
export interface StageModels {
  readonly models: Readonly<Record<string, ModelEntry>>;
  readonly noModel: boolean;
  /** True where a model is named that can't be used, which was reported at its place. */
  readonly isBroken: boolean;
}

/** Reads a stage's `model`: one for all voices, or one by voice; the spec's own model is the default. */
export function compileStageModels(
  stage: ReadStage,
  node: SpecNode | undefined,
  table: ModelTable,
  options: OptionsContext,
): StageModels {
  const { diagnostics } = options;
  if (node === undefined) return standardModels(table);
  if (isVoiceMap(node)) {
    const { models: own, isBroken } = standardModels(table);
    const voiced = new Map<string, ModelEntry>(Object.entries(own));
    for (const [voice, value] of voicesOf(node, stage, options)) {
      const model = table.resolve(value);
      if (model === "none")
        diagnostics.error(
          "LW-MODEL-FORM",
          value,
          "a single voice cannot go without a model",
          "write `model: none` for the whole stage",
        );
      else if (model !== undefined) voiced.set(voice, model);
    }
    return { models: bareRecord(voiced), noModel: false, isBroken };
  }
  const model = table.resolve(node);
  if (model === "none") return { models: bareRecord(), noModel: true, isBroken: false };
  const all = model === undefined ? [] : [["default", model] as const];
  return { models: bareRecord(all), noModel: false, isBroken: model === undefined };
}

// Most stages of a spec say no model of their own.
const knownStandard = new WeakMap<ModelTable, StageModels>();

/** The models of a stage that names none: the spec's own. */
function standardModels(table: ModelTable): StageModels {
  const known = knownStandard.get(table);
  if (known !== undefined) return known;
  const standard = table.default();
  const own = standard === undefined || standard === "none" ? [] : [["default", standard] as const];
  const isBroken = table.hasDefault && standard === undefined;
  const found: StageModels = { models: bareRecord(own), noModel: false, isBroken };
  knownStandard.set(table, found);
  return found;
}

/** The voices in which a stage speaks with its options. */
export function voicesUsed({ definition }: ReadStage, options: JsonObject): readonly string[] {
  return definition.voicesUsed?.(options as never) ?? definition.voices;
}

const noPrompts: Readonly<Record<string, Template>> = bareRecord();

/** Reads a stage's `prompt`: one where it speaks in one voice, or one by voice; the options are missing where they are not sound. */
export function compilePrompts(
  stage: ReadStage,
  node: SpecNode | undefined,
  read: JsonObject | undefined,
  options: OptionsContext,
): Readonly<Record<string, Template>> {
  if (node === undefined) return noPrompts;
  const voices = read === undefined ? [] : voicesUsed(stage, read);
  if (node.kind !== "map") {
    if (voices.length > 1) {
      const message = `\`${stage.strategy}\` speaks as ${voices.join(", ")}; say whose prompt it is`;
      options.diagnostics.error(
        "LW-MODEL-UNKNOWN-VOICE",
        node,
        message,
        `write \`prompt: { ${voices[0] ?? ""}: ... }\``,
      );
    }
    const template = readTemplate(
      node,
      promptShape(stage, "default", options),
      options.diagnostics,
    );
    return bareRecord(template === undefined ? [] : [["default", template]]);
  }
  const prompts = new Map<string, Template>();
  for (const [voice, value] of voicesOf(node, stage, options)) {
    const template = readTemplate(value, promptShape(stage, voice, options), options.diagnostics);
    if (template !== undefined) prompts.set(voice, template);
  }
  return bareRecord(prompts);
}

/** What a prompt sees: the state, and what the strategy binds for the voice. */
function promptShape(
  { definition }: ReadStage,
  voice: string,
  { shape }: OptionsContext,
): OptionsContext["shape"] {
  const { promptNames = {} } = definition;
  const own = voice === "default" ? Object.keys(promptNames) : [voice];
  const names = own.flatMap((name) => promptNames[name] ?? []);
  if (names.length === 0) return shape;
  const bound = names.map((name) => [name, { kind: "any" } as const] as const);
  return { ...shape, fields: { ...shape.fields, ...Object.fromEntries(bound) } };
}

function isVoiceMap(node: SpecNode): node is MapNode {
  return node.kind === "map" && !node.entries.has("use") && !node.entries.has("extends");
}

function voicesOf(
  node: MapNode,
  stage: ReadStage,
  options: OptionsContext,
): readonly (readonly [string, SpecNode])[] {
  const { voices } = stage.definition;
  return [...node.entries].flatMap(([voice, { key, value }]) => {
    if (voices.includes(voice) || voice === "default") return [[voice, value] as const];
    const spoken = voices.length === 0 ? "has one voice only" : `speaks as ${voices.join(", ")}`;
    const message = `\`${stage.strategy}\` ${spoken}; \`${voice}\` is none of them`;
    const repair =
      didYouMean(voice, voices) ??
      (voices.length === 0
        ? `write \`${labelOf(node)}: ${value.kind === "scalar" ? value.text : shownValue(value)}\``
        : `write one of them, like \`${labelOf(node)}: { ${voices[0] ?? ""}: ... }\``);
    options.diagnostics.error("LW-MODEL-UNKNOWN-VOICE", key, message, repair);
    return [];
  });
}
