import {
  type Bounds,
  generations,
  MARKER,
  NO_BOUNDS,
  type StrategyDefinition,
} from "../packages/core/src/plugin.ts";

type Range = Bounds["generations"];
type Children = Readonly<Record<string, Bounds>>;

const ABSENT: Bounds = { ...NO_BOUNDS, isAbsent: true };

/** How many stages a slot with several is given, to see how many of them run. */
const SEVERAL = 3;

/** The options of a strategy where a spec gives none; `told` are those that every spec has to give, here stand-ins. */
export function plainOptions({ options }: StrategyDefinition): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly told: readonly string[];
} {
  const values: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [name, schema] of Object.entries(options.properties)) {
    const marker = schema[MARKER] as { readonly kind: string } | undefined;
    const isCount = schema["type"] === "integer" || marker?.kind === "count";
    if (schema.default !== undefined) values[name] = schema.default;
    else if (options.required?.includes(name) !== true) continue;
    else if (!isCount) values[name] = schema["type"] === "object" ? {} : "";
    else {
      values[name] = SEVERAL;
      told.push(`\`${name}: ${SEVERAL}\``);
    }
  }
  return { values, told };
}

/** What a strategy costs, in words: its own calls, and how often each child runs; one line without and one with its optional children where they differ. */
export function callLines(definition: StrategyDefinition): readonly string[] {
  const { slots } = definition;
  const names = Object.keys(slots);
  const full = Object.fromEntries(names.map((name) => [name, NO_BOUNDS]));
  const optional = names.filter((name) => slots[name]?.optional === true);
  const bare = { ...full, ...Object.fromEntries(optional.map((name) => [name, ABSENT])) };
  const whole = costIn(definition, full, names);
  const least = costIn(
    definition,
    bare,
    names.filter((name) => !optional.includes(name)),
  );
  if (optional.length === 0 || isOwnCostEqual(definition, bare, full)) return [whole];
  const without = optional.map((name) => `\`${name}\``).join(" and ");
  return [`without ${without}: ${least}`, `with ${without}: ${whole}`];
}

function isOwnCostEqual(definition: StrategyDefinition, one: Children, other: Children): boolean {
  return ownCost(boundsWith(definition, one)) === ownCost(boundsWith(definition, other));
}

function costIn(definition: StrategyDefinition, children: Children, slots: readonly string[]) {
  const base = boundsWith(definition, children);
  const runs = slots.flatMap((name) => runsOf(definition, children, name));
  return [ownCost(base), ...runs].filter((part) => part !== "").join("; ") || "no call of its own";
}

function ownCost({ generations: models, toolCalls }: Bounds): string {
  return [amount(models, "model call"), amount(toolCalls, "tool call")]
    .filter((part) => part !== "")
    .join(", ");
}

function amount([min, max]: Range, noun: string): string {
  if (max === 0) return "";
  if (min === max) return `${max} ${noun}${max === 1 ? "" : "s"}`;
  return `${min} to ${max} ${noun}s`;
}

/** How often a slot runs: what the whole costs more when its stages cost one call each. */
function runsOf(definition: StrategyDefinition, children: Children, name: string) {
  const isOne = definition.slots[name]?.form === "one";
  const base = boundsWith(definition, children).generations;
  const costs = isOne ? generations(1) : several();
  const { generations: sum } = boundsWith(definition, { ...children, [name]: costs });
  const [min, max] = [sum[0] - base[0], sum[1] - base[1]];
  if (max <= 0) return [];
  if (isOne) return [`\`${name}\` ${times(min, max)}`];
  if (min === SEVERAL && max === SEVERAL) return [`each stage of \`${name}\` once`];
  if (min === 1 && max === 1) return [`one stage of \`${name}\` once`];
  return [`of three stages of \`${name}\`, ${min} to ${max}`];
}

function several(): Bounds {
  const children = Array.from({ length: SEVERAL }, () => generations(1));
  return { ...generations(SEVERAL), children };
}

function times(min: number, max: number): string {
  if (min === max) return max === 1 ? "once" : `${max} times`;
  return `${min} to ${max} times`;
}

function boundsWith(definition: StrategyDefinition, children: Children): Bounds {
  return definition.bounds(plainOptions(definition).values as never, children as never);
}
