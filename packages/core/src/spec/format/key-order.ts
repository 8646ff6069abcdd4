/** What a map of a spec is, for the order of its keys. */
export type MapRole =
  | "spec"
  | "task"
  | "stage"
  | "case"
  | "model"
  | "entry"
  | "output"
  | "limits"
  | "example"
  | "other";

/** What the value of a key is: a map of its own role, or a list or map of names that holds such. */
export interface ChildRole {
  readonly role: MapRole | "stages";
  /** Whether the maps stand under names. */
  readonly isNamed: boolean;
}

const ordered = (keys: string): ReadonlyMap<string, number> =>
  new Map(keys.split(" ").map((key, index) => [key, index]));

// Where `…` stands keys that are listed nowhere keep the order of the file.
const orders: Readonly<Record<MapRole, ReadonlyMap<string, number>>> = {
  spec: ordered(
    "apiVersion name version description extends plugins workspace dryRun inputs task instructions glossary language " +
      "model models toolPolicy tools memory strategies strategy stages output limits sinks switches cases … overlays",
  ),
  task: ordered("text mission deliverable constraints …"),
  stage: ordered(
    "id when always … if then else cases branches try do answer revise combine " +
      "model instructions prompt examples tools limits onError",
  ),
  case: ordered("description … do"),
  model: ordered(
    "use extends profile baseUrl apiKey … temperature maxTokens effort structured timeout retry breaker rateLimit " +
      "tokenRate maxParallel price fallback",
  ),
  entry: ordered(
    "use … approval deny timeout retry cache rateLimit breaker repeat coolDown polls maxParallel maxResult limits " +
      "expires reason fallback",
  ),
  output: ordered("fields schema reasoning checks repair deadLetter …"),
  limits: ordered("modelCalls toolCalls tokens usd time workTime …"),
  example: ordered("task reasoning answer avoid …"),
  other: new Map(),
};

/** The keys of a map in the one order. */
export function inOrder<T>(
  role: MapRole,
  entries: readonly T[],
  keyOf: (entry: T) => string,
): readonly T[] {
  const order = orders[role];
  if (order.size === 0) return entries;
  const rest = order.get("…") ?? order.size;
  const rankOf = (entry: T): number => order.get(keyOf(entry).replace(/[+-]$/, "")) ?? rest;
  return entries.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const stages: ChildRole = { role: "stages", isNamed: false };
const named = (role: ChildRole["role"]): ChildRole => ({ role, isNamed: true });
const single = (role: ChildRole["role"]): ChildRole => ({ role, isNamed: false });

const specChildren: ReadonlyMap<string, ChildRole> = new Map([
  ["task", single("task")],
  ["model", single("model")],
  ["models", named("model")],
  ["toolPolicy", single("entry")],
  ["tools", named("entry")],
  ["memory", named("entry")],
  ["sinks", named("entry")],
  ["strategies", named("stages")],
  ["strategy", stages],
  ["stages", named("stage")],
  ["output", single("output")],
  ["limits", single("limits")],
  ["overlays", named("spec")],
]);
const stageChildren: ReadonlyMap<string, ChildRole> = new Map([
  ...["do", "then", "else", "try", "answer", "revise", "combine"].map(
    (slot): [string, ChildRole] => [slot, stages],
  ),
  ["branches", named("stages")],
  ["cases", named("case")],
  ["model", single("model")],
  ["examples", single("example")],
  ["tools", named("entry")],
  ["limits", single("limits")],
]);

/** What stands under a key of a map. */
export function childRole(role: MapRole, key: string): ChildRole {
  const plain = key.replace(/[+-]$/, "");
  if (role === "spec") return specChildren.get(plain) ?? single("other");
  if (role === "stage") return stageChildren.get(plain) ?? single("other");
  if (role === "case" && plain === "do") return stages;
  return plain === "limits" && role === "entry" ? single("limits") : single("other");
}
