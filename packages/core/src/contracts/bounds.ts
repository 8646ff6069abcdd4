/** The least and the most of something. */
export type Range = readonly [min: number, max: number];

/** How much a stage may cost: model generations (before repairs and fallbacks) and tool calls. */
export interface Bounds {
  readonly generations: Range;
  readonly toolCalls: Range;
  /** True for a slot that the spec leaves out; it costs nothing. */
  readonly isAbsent?: boolean;
  /** Of a slot with several children: each of them, in the order of the spec; the whole is then the sum of all. */
  readonly children?: readonly Bounds[];
}

/** The bounds of a slot that the spec leaves out. */
export const ABSENT: Bounds = { generations: [0, 0], toolCalls: [0, 0], isAbsent: true };

/** No cost. */
export const NO_BOUNDS: Bounds = { generations: [0, 0], toolCalls: [0, 0] };

/** So many generations, and no tool calls. */
export function generations(min: number, max: number = min): Bounds {
  return { generations: [min, max], toolCalls: [0, 0] };
}

/** The cost of parts that run one after the other. */
export function sumBounds(...parts: readonly Bounds[]): Bounds {
  return parts.reduce(
    (sum, part) => ({
      generations: [
        sum.generations[0] + part.generations[0],
        sum.generations[1] + part.generations[1],
      ],
      toolCalls: [sum.toolCalls[0] + part.toolCalls[0], sum.toolCalls[1] + part.toolCalls[1]],
    }),
    NO_BOUNDS,
  );
}

/** The cost of a part that runs `min` to `max` times. */
export function timesBounds(part: Bounds, min: number, max: number = min): Bounds {
  return {
    generations: [part.generations[0] * min, part.generations[1] * max],
    toolCalls: [part.toolCalls[0] * min, part.toolCalls[1] * max],
  };
}

/** The children of a slot: each of several, the only one, or none where the spec leaves the slot out. */
export function childrenOf(slot: Bounds): readonly Bounds[] {
  return slot.children ?? (slot.isAbsent === true ? [] : [slot]);
}

/** The cost of exactly one of several parts, whichever it is; nothing where there is none. */
export function anyOfBounds(parts: readonly Bounds[]): Bounds {
  const range = (of: (part: Bounds) => Range): Range =>
    parts.length === 0
      ? [0, 0]
      : [
          Math.min(...parts.map((part) => of(part)[0])),
          Math.max(...parts.map((part) => of(part)[1])),
        ];
  return {
    generations: range((part) => part.generations),
    toolCalls: range((part) => part.toolCalls),
  };
}
