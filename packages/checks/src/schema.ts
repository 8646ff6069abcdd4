import {
  type CheckDefinition,
  defineCheck,
  type Issue,
  type Json,
  type JsonSchema,
  Type,
} from "@loopwright/core/plugin";
import type { ErrorObject } from "ajv";
import { compileSchema } from "./schema/compile-schema.ts";
import { excerpt } from "./shared/comparable-text.ts";

const maxIssues = 10;

const options = Type.Object({
  schema: Type.Optional(
    Type.Unsafe<JsonSchema>({
      type: "object",
      description: "The JSON Schema of the value; by default the spec's output.",
    }),
  ),
});

/** Holds the value of an answer against a JSON Schema, by default the spec's own output. */
export const schema: CheckDefinition = defineCheck({
  id: "schema",
  description:
    "The value of the answer fits a JSON Schema; each misfit is told with its path and what is allowed.",
  options,
  run: ({ answer }, { outputSchema }, { schema: own }) => {
    const wanted = own ?? outputSchema;
    if (wanted === undefined)
      return {
        issues: [unusable("there is none: give the check a `schema` or the spec an `output`")],
      };
    if (!answer.solvable && answer.value === null) return { issues: [] };
    const compiled = compileSchema(wanted);
    if (typeof compiled === "string") return { issues: [unusable(compiled)] };
    if (compiled(answer.value)) return { issues: [] };
    const faults = (compiled.errors ?? []).filter(({ keyword }) => keyword !== "if");
    return { issues: faults.slice(0, maxIssues).map((fault) => misfit(fault, answer.value)) };
  },
});

function unusable(reason: string): Issue {
  return {
    kind: "incomplete",
    detail: `The value can't be held against a schema: ${reason}.`,
    requiredAction: "Mend the spec.",
    needs: "person",
  };
}

function misfit(fault: ErrorObject, root: Json): Issue {
  const place =
    fault.instancePath === ""
      ? "The value"
      : `The value at \`${fault.instancePath.slice(1).replaceAll("/", ".")}\``;
  const given = excerpt(JSON.stringify(valueAt(root, fault.instancePath)) ?? "nothing");
  const { problem, action } = describe(fault);
  const kind = fault.keyword === "required" ? "incomplete" : "missed-constraint";
  return {
    kind,
    detail: `${place} is ${given}; ${problem}.`,
    requiredAction: action,
    needs: "rewrite",
  };
}

function describe({ keyword, params, message }: ErrorObject): {
  readonly problem: string;
  readonly action: string;
} {
  const facts = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case "required":
      return {
        problem: `it lacks \`${String(facts["missingProperty"])}\``,
        action: `Add \`${String(facts["missingProperty"])}\`.`,
      };
    case "additionalProperties":
      return {
        problem: `\`${String(facts["additionalProperty"])}\` is none of its fields`,
        action: `Leave \`${String(facts["additionalProperty"])}\` out.`,
      };
    case "enum": {
      const allowed = (facts["allowedValues"] as readonly Json[])
        .map((value) => JSON.stringify(value))
        .join(", ");
      return { problem: `it must be one of ${allowed}`, action: `Take one of ${allowed}.` };
    }
    case "const":
      return {
        problem: `it must be ${JSON.stringify(facts["allowedValue"])}`,
        action: `Write ${JSON.stringify(facts["allowedValue"])}.`,
      };
    case "type":
      return {
        problem: `it must be of type ${String(facts["type"])}`,
        action: `Give a value of type ${String(facts["type"])}.`,
      };
    default:
      return {
        problem: `it ${message ?? "does not fit"}`,
        action: `Give a value that fits: it ${message ?? `must satisfy ${keyword}`}.`,
      };
  }
}

function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, Json>>)[
      part.replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  }
  return value;
}
