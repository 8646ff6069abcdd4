import type { JsonObject } from "../contracts/json.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { Template } from "../spec/text/template.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { bareRecord } from "../program/bare-record.ts";
import type { ModelTable } from "./compile-models.ts";
import { spokenVoices } from "./spoken-voices.ts";
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

/** The voices in which a stage speaks with its options and slots. */
export function voicesUsed(
  { definition, slots }: ReadStage,
  options: JsonObject,
): readonly string[] {
  return spokenVoices(definition, options, slots.keys());
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
  const used = read === undefined ? undefined : voicesUsed(stage, read);
  if (node.kind !== "map") {
    if (used !== undefined && used.length > 1) {
      const message = `\`${stage.strategy}\` speaks as ${used.join(", ")}; say whose prompt it is`;
      options.diagnostics.error(
        "LW-MODEL-UNKNOWN-VOICE",
        node,
        message,
        `write \`prompt: { ${used[0] ?? ""}: ... }\``,
      );
    }
    const shape = promptShape(stage, sharedNames(stage, used), options);
    const template = readTemplate(node, shape, options.diagnostics);
    return bareRecord(template === undefined ? [] : [["default", template]]);
  }
  const prompts = new Map<string, Template>();
  for (const [voice, value] of voicesOf(node, stage, options)) {
    const others = used?.filter((one) => !node.entries.has(one));
    const names = voice === "default" ? sharedNames(stage, others) : namesOf(stage, voice);
    const shape = promptShape(stage, names, options);
    const template = readTemplate(value, shape, options.diagnostics);
    if (template !== undefined) prompts.set(voice, template);
  }
  return bareRecord(prompts);
}

/** Warns about models and prompts of voices in which the stage does not speak with its options and slots. */
export function warnOfSilentVoices(
  stage: ReadStage,
  read: JsonObject,
  diagnostics: OptionsContext["diagnostics"],
): void {
  const given = ["model", "prompt"].flatMap((setting) => {
    const node = entry(stage.settings, setting);
    return node !== undefined && isVoiceMap(node) ? [node] : [];
  });
  if (given.length === 0) return;
  const used = voicesUsed(stage, read);
  const { voices } = stage.definition;
  for (const node of given) {
    for (const [voice, { key }] of node.entries) {
      if (!voices.includes(voice) || used.includes(voice)) continue;
      const spoken = used.length === 0 ? "in no voice" : `as ${used.join(", ")} only`;
      diagnostics.warn(
        "LW-MODEL-SILENT-VOICE",
        key,
        `with these options and slots \`${stage.strategy}\` speaks ${spoken}: \`${voice}\` of \`${labelOf(node)}\` has no effect`,
        `delete \`${voice}\``,
      );
    }
  }
}

function namesByVoice({ definition }: ReadStage): Readonly<Record<string, readonly string[]>> {
  return definition.promptNames ?? {};
}

function namesOf(stage: ReadStage, voice: string): readonly string[] {
  const byVoice = namesByVoice(stage);
  return Object.hasOwn(byVoice, voice) ? (byVoice[voice] ?? []) : [];
}

/**
 * What a prompt for several voices may name: what each of them binds, since any of them may speak it; the voices are
 * missing where the options are not sound, and then every name is let through.
 */
function sharedNames(stage: ReadStage, voices: readonly string[] | undefined): readonly string[] {
  const byVoice = namesByVoice(stage);
  if (voices === undefined) return Object.values(byVoice).flat();
  const speaking = stage.definition.voices.length === 0 ? ["default"] : voices;
  const [first = [], ...rest] = speaking.map((voice) => namesOf(stage, voice));
  return first.filter((name) => rest.every((names) => names.includes(name)));
}

/** What a prompt sees: the state, and the names that the strategy binds. */
function promptShape(
  stage: ReadStage,
  names: readonly string[],
  { shape }: OptionsContext,
): OptionsContext["shape"] {
  const elsewhere = seenElsewhere(stage);
  if (names.length === 0 && Object.keys(elsewhere).length === 0) return shape;
  const bound = names.map((name) => [name, { kind: "any" } as const] as const);
  return { ...shape, fields: { ...shape.fields, ...Object.fromEntries(bound) }, elsewhere };
}

/** Which voices see each name, for a prompt that names it in another one. */
function seenElsewhere(stage: ReadStage): Readonly<Record<string, string>> {
  const byVoice = Object.entries(namesByVoice(stage));
  const all = new Set(byVoice.flatMap(([, names]) => names));
  return Object.fromEntries(
    [...all].map((name) => {
      const voices = byVoice.flatMap(([voice, names]) => (names.includes(name) ? [voice] : []));
      const who = voices.length === 1 ? "the voice" : "the voices";
      return [
        name,
        `\`${name}\` is seen by ${who} ${voices.join(" and ")} of \`${stage.strategy}\``,
      ];
    }),
  );
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
