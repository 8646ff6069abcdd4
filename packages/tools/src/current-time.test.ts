import type { ToolFunction } from "@loopwright/core/plugin";
import { testClock, toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { currentTime } from "./current-time.ts";

function tell(at: string, input: object = {}, timeZone = "UTC"): unknown {
  const clock = testClock(Date.parse(at));
  const call = currentTime.create({ timeZone } as never, { clock } as never);
  return (call as ToolFunction<unknown, unknown>)(input, toolContext());
}

describe("current-time", () => {
  it("tells the time of the app's clock", () => {
    expect(tell("2024-02-29T12:34:56.789Z")).toEqual({
      time: "2024-02-29T12:34:56+00:00",
      weekday: "Thursday",
      timeZone: "UTC",
      utc: "2024-02-29T12:34:56Z",
    });
  });

  it.each([
    ["2024-02-29T23:30:00Z", "Asia/Shanghai", "2024-03-01T07:30:00+08:00", "Friday"],
    ["2024-07-01T00:00:00Z", "Europe/Berlin", "2024-07-01T02:00:00+02:00", "Monday"],
    ["2024-01-01T00:00:00Z", "Europe/Berlin", "2024-01-01T01:00:00+01:00", "Monday"],
    ["2024-01-01T00:00:00Z", "America/St_Johns", "2023-12-31T20:30:00-03:30", "Sunday"],
    ["2024-01-01T05:00:00Z", "America/New_York", "2024-01-01T00:00:00-05:00", "Monday"],
  ])("tells %s in %s as %s", (at, timeZone, time, weekday) => {
    const told = { time, weekday, timeZone, utc: at };
    expect(tell(at, { timeZone })).toEqual(told);
    expect(tell(at, {}, timeZone)).toEqual(told);
    expect(Date.parse(time)).toBe(Date.parse(at));
  });

  it("refuses what is no time zone, of the model and of the spec", () => {
    expect(() => tell("2024-01-01T00:00:00Z", { timeZone: "Mars/Base" })).toThrow(
      /"Mars\/Base" is no time zone; use a name like/,
    );
    expect(currentTime.validate?.({ timeZone: "Berlin" } as never)).toEqual([
      {
        message: "`Berlin` is no time zone",
        option: "timeZone",
        repair: "write a name like Europe/Berlin, or UTC",
      },
    ]);
    expect(currentTime.validate?.({ timeZone: "Europe/Berlin" } as never)).toEqual([]);
  });
});
