import { InternalError } from "../errors/loopwright-error.ts";
import type { ModelEntry } from "../program/program.ts";
import type { Frame } from "./run-scope.ts";

/** The model that speaks with a voice of the frame's stage. */
export function modelFor(frame: Frame, voice: string): ModelEntry {
  const models = frame.stage?.models ?? {};
  const entry = models[voice] ?? models["default"];
  if (entry !== undefined) return entry;
  throw new InternalError(
    "strategy-failed",
    `stage \`${frame.scope.stage}\` asks a model as \`${voice}\`, but it has none (\`model: none\`)`,
  );
}
