import { setValues, type SetValue } from "../spec/document/apply-overrides.ts";
import { only, without } from "../spec/document/named-entries.ts";
import { commonSettings } from "../spec/document/spec-schemas.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { flattenStages, type ReadStage } from "./read-stages.ts";

/** Sets values over stages, by their ids (`stages.react.maxSteps`). */
export function overrideStages(
  stages: readonly ReadStage[],
  values: readonly SetValue[],
  diagnostics: Diagnostics,
): readonly ReadStage[] {
  const flat = flattenStages(stages);
  const usable = values.filter((value) => isUsable(value, flat, diagnostics));
  const apply = (stage: ReadStage): ReadStage => {
    const own = usable
      .filter(({ path }) => path[1] === stage.id)
      .map(({ path, node }) => ({ path: path.slice(2), node }));
    const merged = setValues(
      { ...stage.options, entries: new Map([...stage.settings.entries, ...stage.options.entries]) },
      own,
      diagnostics,
    );
    return {
      ...stage,
      settings: { ...stage.settings, entries: only(merged, commonSettings).entries },
      options: { ...stage.options, entries: without(merged, commonSettings).entries },
      slots: new Map([...stage.slots].map(([name, children]) => [name, children.map(apply)])),
    };
  };
  return usable.length === 0 ? stages : stages.map(apply);
}

function isUsable(
  { path, node }: SetValue,
  stages: readonly ReadStage[],
  diagnostics: Diagnostics,
): boolean {
  const [, id, option] = path;
  const ids = stages.map((stage) => stage.id);
  const stage = stages.find((candidate) => candidate.id === id);
  if (stage === undefined || id === undefined) {
    diagnostics.error(
      "LW-STAGE-UNKNOWN-ID",
      node,
      `no stage is called \`${id ?? ""}\``,
      didYouMean(id ?? "", ids) ?? `stages here: ${ids.join(", ")}`,
    );
    return false;
  }
  if (option === undefined || option === "id" || Object.hasOwn(stage.definition.slots, option)) {
    const message = `\`${path.join(".")}\` cannot be set: only options and settings of a stage can`;
    diagnostics.error("LW-SPEC-PATCH", node, message, `name an option: stages.${id}.OPTION`);
    return false;
  }
  const isShared = stages.some(
    (other) =>
      other !== stage && other.strategy === stage.strategy && other.id.startsWith(`${id}-`),
  );
  if (isShared && !stage.settings.entries.has("id")) {
    diagnostics.warn(
      "LW-STAGE-AMBIGUOUS-ID",
      node,
      `several stages are \`${stage.strategy}\`; \`${id}\` is the one in line ${stage.at.line}`,
      "give each an `id:`",
    );
  }
  return true;
}
