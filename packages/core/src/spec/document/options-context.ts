import type { Json, JsonObject } from "../../contracts/json.ts";
import type { CheckReference } from "../../contracts/schema.ts";
import type { DiagnosticCode } from "../text/diagnostic-codes.ts";
import type { Diagnostics } from "../text/diagnostic.ts";
import type { Position } from "../text/position.ts";
import type { Expression } from "../text/expression.ts";
import type { ObjectShape } from "../text/shape.ts";
import type { SpecNode } from "../text/spec-node.ts";
import type { Template } from "../text/template.ts";

/** What the reading of options needs to know of the spec around them. */
export interface OptionsContext {
  readonly diagnostics: Diagnostics;
  /** What expressions and templates in the options see. */
  readonly shape: ObjectShape;
  /** What a late template in the option of this name sees; `shape` where it is missing. */
  readonly lateShape?: (option: string) => ObjectShape;
  /** The project root, absolute. */
  readonly root: string;
  /** The names under `memory`. */
  readonly memories: readonly string[];
  readonly readChecks: (node: SpecNode) => readonly CheckReference[];
}

/** Whose options they are, for messages. */
export interface OptionsOwner {
  /** As the spec says it: `react`, `limits`; also where a missing option is reported. */
  readonly name: string;
  readonly unknownCode: DiagnosticCode;
  readonly missingCode: DiagnosticCode;
  /** Keys read elsewhere, listed when a key is misspelt, under whose they are: `of every stage`. */
  readonly alsoKnown?: Readonly<Record<string, readonly string[]>>;
  /** True where nothing at all stands under the name: it may be one word. */
  readonly isBare?: boolean;
  /** Of a map of names: the key that each entry has beside its options, by the option that is the map. */
  readonly entryKeys?: Readonly<Record<string, string>>;
}

/** Options as a plugin gets them, with what they hold beyond JSON. */
export interface OptionsReading {
  readonly value: JsonObject;
  /** By JSON pointer. */
  readonly templates: ReadonlyMap<string, Template>;
  /** By source. */
  readonly expressions: ReadonlyMap<string, Expression>;
  /** Every place where an expression or template of the options reads the state. */
  readonly reads: readonly StateRead[];
}

/** One place of a spec where the state is read. */
interface StateRead {
  readonly path: string;
  readonly at: Position;
  /** Whether a late template reads it, which also sees what slots bind. */
  readonly isLate: boolean;
}

/** A reading on its way. */
export interface Reader {
  readonly context: OptionsContext;
  readonly owner: OptionsOwner;
  readonly templates: Map<string, Template>;
  readonly expressions: Map<string, Expression>;
  readonly reads: StateRead[];
}

/** Starts a reading with the findings of a trial kept apart. */
export function trialOf(reader: Reader, diagnostics: Diagnostics): Reader {
  return {
    ...reader,
    context: { ...reader.context, diagnostics },
    templates: new Map(reader.templates),
    expressions: new Map(reader.expressions),
    reads: [],
  };
}

/** The JSON pointer of a child. */
export function pointerTo(base: string, key: string | number): string {
  return `${base}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
