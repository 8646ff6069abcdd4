import type { Program } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Task } from "../contracts/state.ts";
import { SpecError } from "../errors/loopwright-error.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { renderTemplate, type Template } from "../spec/text/template.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits } from "../validation/misfit-words.ts";
import { readNumber } from "./read-input-number.ts";
import type { RunInput } from "./run.ts";

/**
 * Reads a run's input against the program: typed inputs with defaults, and the task rendered over them; throws a SpecError.
 * `otherwise` is the task of a program that says none and is given none.
 */
export function readInput(program: Program, input: RunInput, otherwise = ""): Task {
  const inputs = readInputs(program, input.inputs ?? {});
  const view = { inputs };
  const render = (template: Template | undefined): string =>
    template === undefined ? "" : textOf(renderTemplate(template, view));
  const said = [render(program.task.text), input.task ?? ""].filter((part) => part.trim() !== "");
  const text = said.length === 0 ? otherwise : said.join("\n\n");
  if (text === "") {
    throw new SpecError(
      "input-invalid",
      `\`${program.name}\` has no task: give it as text, for instance loopwright run ${program.name}.yaml "What is to be done?", or write \`task:\` in the spec`,
    );
  }
  return {
    text,
    inputs,
    mission: render(program.task.mission),
    deliverable: render(program.task.deliverable),
    constraints: program.task.constraints.map((constraint) => ({
      id: constraint.id,
      text: render(constraint.text),
      ...(constraint.rule === undefined ? {} : { rule: constraint.rule.source }),
    })),
  };
}

function readInputs(program: Program, given: JsonObject): JsonObject {
  const { fields } = program.inputs;
  const names = Object.keys(fields);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    const hint =
      didYouMean(unknown, names) ??
      (names.length > 0 ? `it takes ${names.join(", ")}` : "it takes none");
    throw new SpecError(
      "input-invalid",
      `\`${program.name}\` has no input \`${unknown}\`; ${hint}`,
    );
  }
  const inputs: Record<string, Json> = {};
  const missing: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : field.default;
    if (value !== undefined) inputs[name] = typed(value, field.schema["type"]);
    else if (field.optional) inputs[name] = null;
    else missing.push(name);
  }
  refuseMissing(program, missing);
  refuseUnread(program, inputs);
  const list = misfits(inputs, program.inputs.schema);
  if (list.length > 0)
    throw new SpecError(
      "input-invalid",
      `an input of \`${program.name}\` does not fit: ${describeMisfits(list)}`,
    );
  return inputs;
}

function refuseMissing(program: Program, missing: readonly string[]): void {
  if (missing.length === 0) return;
  const names = missing.map((name) => `\`${name}\``).join(", ");
  const what = missing.length === 1 ? `the input ${names}` : `the inputs ${names}`;
  const how = missing.map((name) => `-i ${name}=…`).join(" ");
  throw new SpecError(
    "input-invalid",
    `${what} of \`${program.name}\` ${missing.length === 1 ? "is" : "are"} missing; give ${missing.length === 1 ? "it" : "them"} with ${how}`,
    { details: { missing } },
  );
}

/** Refuses what a command line says in another form than its field has, and shows the form. */
function refuseUnread(program: Program, inputs: JsonObject): void {
  for (const [name, value] of Object.entries(inputs)) {
    const fault = unreadFault(name, value, typesOf(program.inputs.fields[name]?.schema["type"]));
    if (fault === undefined) continue;
    const message = `the input \`${name}\` of \`${program.name}\` ${fault}`;
    throw new SpecError("input-invalid", message);
  }
}

function unreadFault(name: string, value: Json, types: readonly Json[]): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return TOO_LARGE;
  if (typeof value !== "string" || types.includes("string")) return undefined;
  if (isNumeric(types) && readNumber(value) === "lossy")
    return Number.isFinite(Number(value))
      ? `is ${value}, and a number holds that only as ${Number(value)}; an input of type string keeps every digit`
      : TOO_LARGE;
  if (types.includes("array")) return `is a list, written as JSON: -i '${name}=["a","b"]'`;
  if (types.includes("object")) return `is a map, written as JSON: -i '${name}={"key":"value"}'`;
  return undefined;
}

const TOO_LARGE = "is too large: a number ends at about 1.8e308";

function isNumeric(types: readonly Json[]): boolean {
  return types.includes("number") || types.includes("integer");
}

function typesOf(type: Json | undefined): readonly Json[] {
  return Array.isArray(type) ? (type as readonly Json[]) : [type ?? null];
}

/** Text from a command line becomes the declared type where that loses nothing; `007` for a text field stays text. */
function typed(value: Json, type: Json | undefined): Json {
  if (typeof value !== "string") return value;
  const types = typesOf(type);
  if (types.includes("string")) return value;
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  const number = isNumeric(types) ? readNumber(value) : undefined;
  if (number !== undefined) return number === "lossy" ? value : number;
  if (types.includes("array") || types.includes("object")) return parsed(value);
  return value;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
