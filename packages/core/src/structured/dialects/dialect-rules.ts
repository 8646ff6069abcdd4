import type { Json, JsonSchema } from "../../contracts/json.ts";

export type { Dialect } from "../../contracts/schema-dialect.ts";

/** Something that a dialect can't say, or can't say in full. */
export interface Note {
  /** The place in the answer, like `items[].count`; `*` stands for any field, empty for the whole. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** The sizes of a schema for the wire. */
export interface SchemaSizes {
  readonly properties: number;
  /** Objects within objects, the outermost counted. */
  readonly depth: number;
  readonly enumValues: number;
  /** The longest union. */
  readonly branches: number;
  /** Characters of names, allowed values and names of definitions. */
  readonly characters: number;
}

/** The largest sizes that a dialect takes; what is left out is not bounded. */
export type SizeLimits = Readonly<Partial<SchemaSizes>>;

/** What a dialect can say. */
export interface DialectRules {
  /** All keywords that a schema for the wire may hold. */
  readonly keywords: ReadonlySet<string>;
  /** The formats it knows, where it has the keyword. */
  readonly formats: ReadonlySet<string>;
  /** Whether each object must be closed to further fields. */
  readonly isClosed: boolean;
  /** Whether an object without a word about further fields takes none. */
  readonly isClosedByDefault: boolean;
  /** Whether each field must be required; one that is optional may then be null. */
  readonly isAllRequired: boolean;
  /** Whether the whole must be an object, and not a union. */
  readonly isRootObject: boolean;
  readonly references: "kept" | "inlined";
  /** Whether a definition may lead back to itself. */
  readonly recursion: "kept" | "warned" | "refused";
  /** Whether several types are written as a union of schemas. */
  readonly splitsTypes: boolean;
  /** How any value at all is written; left out where that can't be said. */
  readonly any?: JsonSchema;
  readonly enumTypes: ReadonlySet<string>;
  /** Names that no field may have. */
  readonly reservedNames: ReadonlySet<string>;
  /** Tells whether a keyword of its table can be said with this value at this type. */
  readonly takes: (keyword: string, value: Json, type: string) => boolean;
  /** Of one list of allowed values; a longer one is left out. */
  readonly enumLimits: { readonly values: number; readonly characters: number };
  /** Sizes beyond which the endpoint is known to refuse. */
  readonly refusedAbove: SizeLimits;
  /** Sizes beyond which the endpoint's documents say that it refuses. */
  readonly warnedAbove: SizeLimits;
}
