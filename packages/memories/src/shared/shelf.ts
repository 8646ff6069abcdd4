import { createHash } from "node:crypto";
import type { Lesson } from "@loopwright/core/plugin";
import { isAlike } from "./likeness.ts";
import { byTime } from "./ranking.ts";
import { fold } from "./words.ts";

/** A lesson before a memory names it. */
export type LessonDraft = Omit<Lesson, "id" | "uses">;

/** How long and how many lessons are kept; the time is milliseconds since the epoch. */
export interface Keeping {
  readonly ttl: number | undefined;
  readonly max: number;
}

/** What adding a lesson comes to; `dropped` are the ids that make room for it. */
export type Addition =
  | { readonly added: false; readonly lesson: Lesson }
  | { readonly added: true; readonly lesson: Lesson; readonly dropped: ReadonlySet<string> };

/** Decides whether a lesson is kept, and which ones leave for it: the expired, then the least used, the oldest first. */
export function place(
  kept: readonly Lesson[],
  draft: LessonDraft,
  keeping: Keeping,
  now: number,
): Addition {
  const alive = kept.filter((lesson) => !isExpired(lesson, now));
  const same = alive.find((lesson) => lesson.scope === draft.scope && isAlike(lesson, draft));
  if (same !== undefined) return { added: false, lesson: same };
  const leaving = alive
    .toSorted((one, other) => other.uses - one.uses || byTime(one, other))
    .slice(Math.max(0, keeping.max - 1));
  const isFull = kept.length >= keeping.max;
  const expired = isFull ? kept.filter((lesson) => isExpired(lesson, now)) : [];
  const dropped = new Set([...leaving, ...expired].map(({ id }) => id));
  return { added: true, lesson: named(draft, keeping.ttl, now), dropped };
}

/** Tells whether a lesson has outlived its time. */
export function isExpired(lesson: Lesson, now: number): boolean {
  return lesson.expires !== undefined && Date.parse(lesson.expires) <= now;
}

/** The lessons of a scope that have not expired. */
export function aliveIn(lessons: readonly Lesson[], scope: string, now: number): readonly Lesson[] {
  return lessons.filter((lesson) => lesson.scope === scope && !isExpired(lesson, now));
}

/** The lesson after one more use. */
export function used(lesson: Lesson): Lesson {
  return { ...lesson, uses: lesson.uses + 1 };
}

function named(draft: LessonDraft, ttl: number | undefined, now: number): Lesson {
  const expires = draft.expires ?? (ttl === undefined ? undefined : expiryOf(draft.time, ttl, now));
  const lesson = { ...draft, id: idOf(draft), uses: 0 };
  return expires === undefined ? lesson : { ...lesson, expires };
}

function expiryOf(time: string, ttl: number, now: number): string | undefined {
  const start = Date.parse(time);
  const end = new Date((Number.isNaN(start) ? now : start) + ttl);
  // Beyond the last date that can be written there is no end.
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

function idOf(draft: LessonDraft): string {
  const said = [draft.trigger, draft.failurePattern, draft.lesson, draft.avoid].map(fold);
  const content = JSON.stringify([draft.scope, ...said, draft.time]);
  return createHash("sha256").update(content).digest("hex").slice(0, 12);
}
