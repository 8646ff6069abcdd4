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
  | { readonly kind: "expression"; readonly result: "bool" | "any" }
  | {
      readonly kind:
        | "template"
        | "duration"
        | "count"
        | "secret"
        | "path"
        | "checks"
        | "memory"
        | "fields"
        | "json";
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
export function expression(result: "bool" | "any", extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "expression", result }, { type: "string" }, extra);
}

/** Text with `{{ path }}` and lists, rendered over the state when the stage or check starts; a value that is one path keeps its type. */
export function template(extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "template" }, { type: "string" }, extra);
}

/** A time with its unit in the spec (`5s`), milliseconds in the code. */
export function duration(extra: Extra = {}): TUnsafe<number> {
  return marked({ kind: "duration" }, { type: "number", minimum: 0 }, extra);
}

/** A count, in the spec plain or `200k`, `2M`. */
export function count(extra: Extra = {}): TUnsafe<number> {
  return marked({ kind: "count" }, { type: "integer", minimum: 0 }, extra);
}

/** Text that may hold `${secret:NAME}`; its value never appears in events or errors. */
export function secret(extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "secret" }, { type: "string" }, extra);
}

/** A path, in the spec relative to the file that says it, absolute in the code; `${run:id}` stays in it. */
export function path(extra: Extra = {}): TUnsafe<string> {
  return marked({ kind: "path" }, { type: "string" }, extra);
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
