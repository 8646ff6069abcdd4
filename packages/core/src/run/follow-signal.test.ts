import { expect, it, vi } from "vitest";
import { followSignal } from "./follow-signal.ts";

it("aborts with the signal that it follows, for the same reason", () => {
  const outer = new AbortController();
  const { controller } = followSignal(outer.signal);
  outer.abort("enough");
  expect(controller.signal.reason).toBe("enough");
});

it("is aborted from the start where the other one is", () => {
  const { controller } = followSignal(AbortSignal.abort("before"));
  expect(controller.signal.reason).toBe("before");
});

it("aborts alone without touching what it follows", () => {
  const outer = new AbortController();
  const { controller } = followSignal(outer.signal);
  controller.abort("own");
  expect(outer.signal.aborted).toBe(false);
});

it("follows no more once it is released", () => {
  const outer = new AbortController();
  const { controller, release } = followSignal(outer.signal);
  release();
  outer.abort("late");
  expect(controller.signal.aborted).toBe(false);
});

it("puts one listener on a signal that many follow", () => {
  const outer = new AbortController();
  const added = vi.spyOn(outer.signal, "addEventListener");
  const followers = Array.from({ length: 20 }, () => followSignal(outer.signal));
  expect(added).toHaveBeenCalledTimes(1);
  followers[3]?.release();
  outer.abort("enough");
  expect(followers.map(({ controller }) => controller.signal.aborted)).toEqual(
    followers.map((_, index) => index !== 3),
  );
});
