import type { StateField } from "./state.ts";

/** How a child slot is used. */
export interface SlotDeclaration {
  readonly description: string;
  readonly optional: boolean;
  /** Whether the stage always runs the slot. */
  readonly runs: "always" | "maybe";
  /** What the stage has written before it runs the slot. */
  readonly provides: readonly StateField[];
  /** True when the slot runs in several concurrent branches that should differ, as samples do. */
  readonly sampled: boolean;
  /** `one`: a stage or a sequence. `named`: several of them by name. `listed`: a list of stages, each a child of its own. */
  readonly form: "one" | "named" | "listed";
  /**
   * How the children of the slot stand to each other, and the slots of one `group` among them: `in-turn`, one after the
   * other; `one-of`, one of them runs to its end; `beside`, all at one time, each from the state before.
   */
  readonly order: "in-turn" | "one-of" | "beside";
  /** Slots of the same group are alternatives to each other. */
  readonly group?: string;
  /** True when the children run at one time, or one child several times at once: tools are `read` unless said otherwise. */
  readonly concurrent: boolean;
  /** Of a named slot whose entries are maps: the key that holds the stages; the other keys are the option of the slot's name. */
  readonly under?: string;
  /** A further name that is seen inside: the text of option `name`, an item of the list in option `of`. */
  readonly binds?: { readonly name: string; readonly of: string };
  /** Inside, `results.<name>` of the children of this other slot are seen too. */
  readonly seesResultsOf?: string;
}

/** The slots a strategy declares, by name. */
export type Slots = Readonly<Record<string, SlotDeclaration>>;

type Given = Partial<Omit<SlotDeclaration, "form">> & { readonly description: string };

/** Declares a child slot: a stage or a sequence. */
export function one(declaration: Given): SlotDeclaration {
  return { ...DEFAULTS, form: "one", ...implied(declaration) };
}

/** Declares a slot with several children by name, each a stage or a sequence. */
export function many(declaration: Given): SlotDeclaration {
  return { ...DEFAULTS, form: "named", ...implied(declaration) };
}

/** Declares a slot that is a list of stages, each a child of its own: tried in order, the first that ends well is used. */
export function alternatives(declaration: Given): SlotDeclaration {
  return { ...DEFAULTS, form: "listed", order: "one-of", ...implied(declaration) };
}

const DEFAULTS = {
  optional: false,
  runs: "always",
  provides: [],
  sampled: false,
  concurrent: false,
  order: "in-turn",
} as const;

/** Samples are concurrent. */
function implied(declaration: Given): Given {
  return declaration.sampled === true ? { concurrent: true, ...declaration } : declaration;
}
