import {
  type Static,
  type StaticDecode,
  type TSchema,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";

export { Type, type Static, type StaticDecode, type TSchema };

/** What a marked option means beyond its JSON type; core reads, checks and converts it. */
export type Marker =
  | { readonly kind: "expression"; readonly result: "bool" | "any" | "list" }
  | { readonly kind: "template"; readonly late?: true }
  | { readonly kind: "count"; readonly boundOf?: string }
  | { readonly kind: "path"; readonly exists?: true; readonly writes?: true }
  | {
      readonly kind: "duration" | "spec" | "secret" | "checks" | "memory" | "fields" | "json";
    };

/** The keyword under which a schema carries its marker. */
export const MARKER = "x-loopwright";

interface Extra {
  readonly description?: string;
  readonly default?: unknown;
}

function marked<T>(marker: Marker, schema: Record<string, unknown>, extra: Extra): TUnsafe<T> {
  return Type.Unsafe<T>({ ...schema, ...extra, [MARKER]: marker });
}

/** A CEL expression over the state; evaluated with `context.evaluate`. */
export function expression(result: "bool" | "any" | "list", extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "expression", result }, { type: "string" }, extra);
}

/**
 * Text with `{{ path }}` and lists, rendered over the state when the stage or check starts; a value that is one path keeps
 * its type. A `late` one is rendered by `context.render`, and sees what the slots of the strategy bind.
 */
export function template(extra: Extra & { readonly late?: true } = {}): TUnsafe<string> {
  const { late, ...rest } = extra;
  const marker: Marker = late === true ? { kind: "template", late } : { kind: "template" };
  return marked(marker, { type: "string" }, rest);
}

/** A time with its unit in the spec (`5s`), milliseconds in the code. */
export function duration(extra: Extra = {}): TUnsafe<number> {
  return marked({ kind: "duration" }, { type: "number", minimum: 0 }, extra);
}

/**
 * A count, in the spec plain or `200k`, `2M`. With `boundOf`, the name of an option that is a list expression: left out, it
 * is the known bound of that list, and an error where there is none.
 */
export function count(extra: Extra & { readonly boundOf?: string } = {}): TUnsafe<number> {
  const { boundOf, ...rest } = extra;
  const marker: Marker = boundOf === undefined ? { kind: "count" } : { kind: "count", boundOf };
  return marked(marker, { type: "integer", minimum: 0 }, rest);
}

/** The path of another spec, below the project root: the stage may run that agent with `context.runAgent`. */
export function specPath(extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "spec" }, { type: "string" }, extra);
}

/** Text that may hold `${secret:NAME}`; its value never appears in events or errors. */
export function secret(extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "secret" }, { type: "string" }, extra);
}

/**
 * A path, in the spec relative to the file that says it, absolute in the code; `${run:id}` stays in it. With `exists` it
 * is a file that the plugin reads, and a spec that names none is refused. With `writes` it is a file that the plugin
 * writes, and makes with its folders: a spec is refused where that can't be done.
 */
export function path(
  extra: Extra & { readonly exists?: true; readonly writes?: true } = {},
): TUnsafe<string> {
  const { exists, writes, ...rest } = extra;
  const marker: Marker = {
    kind: "path",
    ...(exists === true ? { exists } : {}),
    ...(writes === true ? { writes } : {}),
  };
  return marked(marker, { type: "string" }, rest);
}

/** Checks by id, each with its options; run with `context.runChecks`. */
export function checks(extra: Extra = {}): TUnsafe<readonly CheckReference[]> {
  return marked({ kind: "checks" }, { type: "array" }, extra);
}

/** The name of an entry of the spec's `memory`. */
export function memoryName(extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "memory" }, { type: "string" }, extra);
}

/** Fields in the spec's short form (`{ city: string }`), a JSON Schema object in the code. */
export function fields(extra: Extra = {}): TUnsafe<Readonly<Record<string, unknown>>> {
  return marked({ kind: "fields" }, { type: "object" }, extra);
}

/** A check of a compiled program, opaque to strategies. */
export interface CheckReference {
  readonly check: string;
  readonly instance: number;
}
