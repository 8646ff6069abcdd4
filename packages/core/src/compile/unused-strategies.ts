import { compileStages, type StageContext } from "./compile-stage.ts";
import { openChecks } from "./compile-checks.ts";
import { openRecorder } from "./index-recorder.ts";
import { stateShapeOf } from "./stage-results.ts";
import type { UnusedStrategy } from "./stage-tree.ts";

/** Warns of every strategy of `strategies` that no stage uses, and finds the faults in it as if one did. */
export function checkUnused(
  unused: ReadonlyMap<string, UnusedStrategy>,
  context: StageContext,
): void {
  const { options, inputs, compile } = context;
  for (const [name, { at, stages }] of unused) {
    const repair = `name it as a stage: \`- ${name}\`, or delete it`;
    options.diagnostics.warn("LW-FLOW-UNREACHABLE", at, `no stage uses \`${name}\``, repair);
    const answer = options.shape.fields["answer"];
    const value = answer?.kind === "object" ? answer.fields["value"] : undefined;
    const known = {
      inputs,
      value: value ?? ({ kind: "any" } as const),
      memories: options.memories,
    };
    // Nothing of it is part of the program: neither its checks nor its agents, its stages or what they cost.
    const apart = {
      ...compile,
      inner: new Map(),
      unsound: new Set<string>(),
      record: openRecorder(),
    };
    compileStages(
      { stages, unused: new Map() },
      {
        ...context,
        compile: apart,
        options: { ...options, shape: stateShapeOf(stages, known, apart) },
        checks: openChecks(apart),
      },
    );
  }
}
