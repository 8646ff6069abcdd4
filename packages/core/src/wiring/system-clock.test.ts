import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "./system-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the machine's clock", () => {
  it.each([5, 9_999])("calls back after a short wait of %i ms, to the millisecond", (ms) => {
    const callback = vi.fn<() => void>();
    systemClock().after(ms, callback);
    vi.advanceTimersByTime(ms - 1);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
  });

  it("calls back once after each long wait, at most 200 ms late", () => {
    const clock = systemClock();
    const callbacks = [10_000, 10_050, 30_000].map((ms) => {
      const callback = vi.fn<() => void>();
      clock.after(ms, callback);
      return callback;
    });
    const calls = (): readonly number[] => callbacks.map((one) => one.mock.calls.length);
    vi.advanceTimersByTime(9_999);
    expect(calls()).toEqual([0, 0, 0]);
    vi.advanceTimersByTime(251);
    expect(calls()).toEqual([1, 1, 0]);
    vi.advanceTimersByTime(20_000);
    expect(calls()).toEqual([1, 1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("forgets a wait that was cancelled, and goes on with the next one", () => {
    const clock = systemClock();
    const [gone, kept] = [vi.fn<() => void>(), vi.fn<() => void>()];
    clock.after(10_000, gone)();
    vi.advanceTimersByTime(150);
    clock.after(10_000, kept);
    vi.advanceTimersByTime(10_200);
    expect(gone).not.toHaveBeenCalled();
    expect(kept).toHaveBeenCalledOnce();
  });

  it("keeps the process alive while something waits, and no longer", async () => {
    vi.useRealTimers();
    const held = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const before = held();
    const clock = systemClock();
    const cancels = [clock.after(10_000, () => undefined), clock.after(20_000, () => undefined)];
    cancels[0]?.();
    await turn();
    expect(held()).toBe(before + 1);
    cancels[1]?.();
    await turn();
    expect(held()).toBe(before);
    const again = clock.after(10_000, () => undefined);
    expect(held()).toBe(before + 1);
    again();
  });

  it("keeps going when a callback waits again", () => {
    const clock = systemClock();
    const second = vi.fn<() => void>();
    clock.after(10_000, () => void clock.after(10_000, second));
    vi.advanceTimersByTime(20_500);
    expect(second).toHaveBeenCalledOnce();
  });

  it("keeps going after a callback that throws", () => {
    const clock = systemClock();
    const [second, third] = [vi.fn<() => void>(), vi.fn<() => void>()];
    clock.after(10_000, () => {
      throw new Error("of a plugin");
    });
    clock.after(10_000, second);
    expect(() => vi.advanceTimersByTime(10_400)).toThrow("of a plugin");
    clock.after(10_000, third);
    vi.advanceTimersByTime(10_800);
    expect(second).toHaveBeenCalledOnce();
    expect(third).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});
