import type { DiagnosticCode } from "./diagnostic-codes.ts";
import { agentExamples } from "./examples/agent-examples.ts";
import type { DiagnosticExample } from "./examples/diagnostic-example.ts";
import { expressionExamples } from "./examples/expression-examples.ts";
import { fileExamples } from "./examples/file-examples.ts";
import { flowExamples } from "./examples/flow-examples.ts";
import { limitExamples } from "./examples/limit-examples.ts";
import { modelExamples } from "./examples/model-examples.ts";
import { pluginExamples } from "./examples/plugin-examples.ts";
import { promptExamples } from "./examples/prompt-examples.ts";
import { specExamples } from "./examples/spec-examples.ts";
import { stageExamples } from "./examples/stage-examples.ts";
import { substitutionExamples } from "./examples/substitution-examples.ts";
import { templateExamples } from "./examples/template-examples.ts";
import { toolExamples } from "./examples/tool-examples.ts";
import { valueExamples } from "./examples/value-examples.ts";
import { yamlExamples } from "./examples/yaml-examples.ts";

/** Every diagnostic code with why it matters, a wrong example and a right one. */
export const DIAGNOSTIC_EXAMPLES: Readonly<Record<DiagnosticCode, DiagnosticExample>> = {
  ...fileExamples,
  ...yamlExamples,
  ...valueExamples,
  ...substitutionExamples,
  ...templateExamples,
  ...expressionExamples,
  ...specExamples,
  ...stageExamples,
  ...pluginExamples,
  ...agentExamples,
  ...flowExamples,
  ...limitExamples,
  ...modelExamples,
  ...promptExamples,
  ...toolExamples,
};
