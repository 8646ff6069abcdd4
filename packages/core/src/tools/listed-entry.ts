import type { InjectionKind } from "../contracts/event.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { ListedTool, ToolDefinition, ToolFunction } from "../contracts/tool.ts";
import type { PoliciesByEffect, ToolEntry } from "../program/program.ts";
import { modelText } from "./clean-text.ts";
import { readListedSchema } from "./listed-schema.ts";
import { suspectedKinds } from "./suspected-kinds.ts";

/** A tool that a set listed, as an entry like those of the spec. */
export interface ListedEntry extends ToolEntry {
  /** The name of the set. */
  readonly of: string;
  /** By what its description looks like an attempt to steer the model. */
  readonly suspect: readonly InjectionKind[];
  /** Patterns of its schemas that texts are not matched with. */
  readonly unchecked: readonly string[];
  readonly run: ToolFunction<JsonObject, unknown>;
}

/** What a set listed, read; or why a tool of it is left out. */
type ReadListed =
  | { readonly ok: true; readonly entry: Omit<ListedEntry, "wireName"> }
  | { readonly ok: false; readonly reason: string };

const maxDescriptionChars = 4_000;
const nameForm = /^[\w./:-]{1,128}$/u;
const effects: ReadonlySet<unknown> = new Set(["read", "idempotent", "once"]);

/** Reads a listed tool: what its source says of it is not trusted. */
export function readListed(set: ToolEntry, listed: ListedTool): ReadListed {
  const fault = formFault(listed);
  if (fault !== undefined) return { ok: false, reason: fault };
  const input = readListedSchema(listed.input);
  if (!input.ok) return { ok: false, reason: `its input schema can't be used: ${input.reason}` };
  if (input.schema["type"] !== "object")
    return { ok: false, reason: "its input schema is not one of an object" };
  const output = listed.output === undefined ? undefined : readListedSchema(listed.output);
  if (output?.ok === false)
    return { ok: false, reason: `its output schema can't be used: ${output.reason}` };
  const policy = policiesOf(set)[listed.effect];
  const entry = {
    name: `${set.name}/${listed.name}`,
    of: set.name,
    suspect: suspectedKinds(listed.description),
    unchecked: [...(input.unchecked ?? []), ...(output?.unchecked ?? [])],
    definition: definitionOf(set, listed, output?.schema),
    options: set.options,
    description: modelText(listed.description, maxDescriptionChars),
    input: input.schema,
    policy,
    run: listed.run,
  };
  return { ok: true, entry };
}

function formFault(listed: ListedTool): string | undefined {
  if (typeof listed !== "object" || (listed as unknown) === null) return "it is no tool";
  const { name, description, effect, run } = listed;
  if (typeof name !== "string" || !nameForm.test(name))
    return "its name is not made of 1 to 128 letters, digits, `_`, `.`, `/`, `:` and `-`";
  if (typeof description !== "string") return "its description is no text";
  if (!effects.has(effect)) return "its effect is none of read, idempotent, once";
  return typeof run === "function" ? undefined : "it can't be run";
}

/** A set without policies of its own, as a host may make one, has those of its entry. */
function policiesOf({ policies, policy }: ToolEntry): PoliciesByEffect {
  return policies ?? { read: policy, idempotent: policy, once: policy };
}

/** The plugin as this tool of it has it: with its own schemas and effect, and no set any more. */
function definitionOf(
  { definition }: ToolEntry,
  listed: ListedTool,
  output: ToolDefinition["output"],
): ToolDefinition {
  const { set: _, output: __, ...rest } = definition;
  return {
    ...rest,
    description: listed.description,
    effect: listed.effect,
    ...(output === undefined ? {} : { output }),
  };
}
