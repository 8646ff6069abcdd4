import type { ObjectShape, StageSite, Step } from "@loopwright/core";
import type { OpenSpec } from "./open-spec.ts";
import { patchedStage } from "./patched-stage.ts";

const nothing: ObjectShape = { kind: "object", fields: {} };
const anything = { kind: "any" } as const;

/** What expressions and templates at a place of a spec see: the state as its stage sees it, or a call in a policy. */
export function shapeFor(spec: OpenSpec, steps: readonly Step[]): ObjectShape {
  const index = spec.checked?.index;
  if (index === undefined) return nothing;
  const site = patchedStage(spec, steps)?.site ?? siteFor([...index.stages.values()], steps);
  const shape = site?.scope ?? index.shape;
  const isPolicy = steps.some(
    (step) => "key" in step && (step.key === "approval" || step.key === "deny"),
  );
  if (!isPolicy) return shape;
  const { inputs = anything, task = anything } = shape.fields;
  return { kind: "object", fields: { args: anything, inputs, task } };
}

/** The innermost stage around a place. */
function siteFor(sites: readonly StageSite[], steps: readonly Step[]): StageSite | undefined {
  const path = pathText(steps);
  return sites
    .filter(({ at }) => at.path !== "" && isInside(path, at.path))
    .toSorted((a, b) => b.at.path.length - a.at.path.length)[0];
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(outer) && /^(?:$|[.[])/u.test(path.slice(outer.length));
}

/** Steps as the compiler writes paths. */
function pathText(steps: readonly Step[]): string {
  return steps.reduce((base, step) => {
    if ("index" in step) return `${base}[${step.index}]`;
    if (/[.[\]\s"]/u.test(step.key) || step.key === "")
      return `${base}[${JSON.stringify(step.key)}]`;
    return base === "" ? step.key : `${base}.${step.key}`;
  }, "");
}
