import {
  Clock,
  defineTool,
  type OptionsProblem,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({
  timeZone: Type.String({
    description: "The time zone where the model names none, like Europe/Berlin.",
    default: "UTC",
  }),
});

const input = Type.Object({
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      description: "A time zone by its name, like Asia/Shanghai; by default that of the person.",
    }),
  ),
});

const output = Type.Object({
  time: Type.String(),
  weekday: Type.String(),
  timeZone: Type.String(),
  utc: Type.String(),
});

/** Tells the time by the clock of the app. */
export const currentTime: ToolDefinition = defineTool({
  id: "current-time",
  description: `Tells the date and the time of now.
Use it before every statement that rests on today's date, the weekday, the time of day, or how long ago something was; you do not know the date otherwise.
Do not use it for the time of something else than now, or again where an observation of this run already tells the day you need.
It returns time (ISO 8601 with the offset from UTC), weekday, timeZone, and utc, the same moment in UTC. An unknown time zone is an error.`,
  options,
  input,
  output,
  effect: "read",
  policy: { polls: true },
  validate: ({ timeZone }) => problemsOf(timeZone),
  inject: { clock: Clock },
  create:
    ({ timeZone: usual }, { clock }) =>
    ({ timeZone = usual }) => {
      const format = formatOf(timeZone);
      if (format === undefined)
        throw new ToolError(
          "tool-arguments-invalid",
          `"${timeZone}" is no time zone; use a name like Europe/Berlin, Asia/Shanghai or UTC.`,
        );
      const now = new Date(clock.now());
      const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
      const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
      const day = `${part("year")}-${part("month")}-${part("day")}`;
      const offset = part("timeZoneName").replace("GMT", "") || "+00:00";
      return {
        time: `${day}T${part("hour")}:${part("minute")}:${part("second")}${offset}`,
        weekday: part("weekday"),
        timeZone: format.resolvedOptions().timeZone,
        utc: now.toISOString().replace(/\.\d+Z$/, "Z"),
      };
    },
});

function problemsOf(timeZone: string): readonly OptionsProblem[] {
  if (formatOf(timeZone) !== undefined) return [];
  const message = `\`${timeZone}\` is no time zone`;
  return [{ message, option: "timeZone", repair: "write a name like Europe/Berlin, or UTC" }];
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "long",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset",
    });
  } catch {
    return undefined;
  }
}
