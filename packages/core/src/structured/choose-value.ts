import { callDraft } from "./call-form.ts";
import { type Draft, isDraftList, isDraftObject, sameDraft } from "./draft.ts";
import { type FitValue, fitDraft } from "./fit-draft.ts";
import type { ParseTask } from "./parse-task.ts";
import { ReadFault } from "./read-fault.ts";
import type { ReplyPart } from "./reply-part.ts";
import type { Repair } from "./structured-result.ts";

/** Parts of a reply that touch each other: only blanks, commas or tags between. */
type Group = readonly ReplyPart[];

/** The one value that the parts of a reply give: of touching ones all must agree, of parted ones the last that fits counts. */
export function chooseValue(parts: readonly ReplyPart[], task: ParseTask): FitValue | ReadFault {
  const calls = parts.filter((part) => part.isCall);
  if (calls.length > 1 && !wantsList(task) && calls.some((call) => !isSame(call, calls[0], task)))
    return severalValues(calls.length);
  const groups = groupsOf(parts);
  let misfit: ReadFault | undefined;
  for (let index = groups.length - 1; index >= 0; index--) {
    const result = readGroup(groups[index] ?? [], task);
    if (!(result instanceof ReadFault)) return result;
    if (isDecisive(result)) return result;
    misfit ??= result;
  }
  return misfit ?? new ReadFault("no-json", "the reply holds no JSON object");
}

/** A later part that can't be read is no reason to take an earlier one; one that only does not fit is. */
function isDecisive(fault: ReadFault): boolean {
  return fault.code !== "schema" && fault.code !== "no-json";
}

function severalValues(count: number): ReadFault {
  return new ReadFault(
    "ambiguous",
    `the reply holds ${count} different JSON values; one is wanted`,
  );
}

function groupsOf(parts: readonly ReplyPart[]): readonly Group[] {
  const groups: ReplyPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last === undefined || part.isParted) groups.push([part]);
    else last.push(part);
  }
  return groups;
}

function readGroup(group: Group, task: ParseTask): FitValue | ReadFault {
  const fault = group.find((part) => part.fault !== undefined)?.fault;
  if (fault !== undefined) return fault;
  const repairs: Repair[] = [];
  const kept = withoutEmpty(group, task, repairs);
  const drafts = kept.map((part) => draftOf(part, task));
  const [first] = drafts;
  if (first === undefined) return new ReadFault("no-json", "the reply holds no JSON object");
  const isOne = drafts.every((draft) => sameDraft(draft, first));
  if (isOne && drafts.length > 1)
    repairs.push({ rule: "merged-equal-values", note: `${drafts.length} times` });
  const single = isOne ? fitDraft(first, task) : severalValues(drafts.length);
  if (isMention(kept) && !(single instanceof ReadFault) && single.repairs.length > 0)
    return new ReadFault("no-json", "the reply holds no JSON object");
  const list =
    (drafts.length > 1 || kept[0]?.isCall === true) && wantsList(task)
      ? fitDraft(drafts, task)
      : undefined;
  return withRepairs(kept, repairs, pickReading(single, list));
}

/** True for one number in brackets among words, as in a note `[1]`: it is not fitted to a schema. */
function isMention(group: Group): boolean {
  const [only] = group;
  const draft = only?.draft ?? null;
  const isShort = group.length === 1 && isDraftList(draft) && draft.length === 1;
  return isShort && only?.isParted === true && typeof draft[0] === "number";
}

/** The list that touching values make, or the one value that they all are. */
function pickReading(
  single: FitValue | ReadFault,
  list: FitValue | ReadFault | undefined,
): FitValue | ReadFault {
  if (list === undefined || list instanceof ReadFault) return single;
  return single instanceof ReadFault
    ? { ...list, repairs: [{ rule: "joined-to-list" }, ...list.repairs] }
    : single;
}

function withRepairs(
  group: Group,
  before: readonly Repair[],
  result: FitValue | ReadFault,
): FitValue | ReadFault {
  if (result instanceof ReadFault) return result;
  const counts = new Map<string, number>();
  for (const { repairs } of group)
    for (const [rule, count] of repairs) counts.set(rule, (counts.get(rule) ?? 0) + count);
  return { value: result.value, repairs: [...syntaxRepairs(counts), ...before, ...result.repairs] };
}

/** Repairs of the syntax, one a rule with how often it was needed. */
export function syntaxRepairs(counts: ReadonlyMap<string, number>): readonly Repair[] {
  return [...counts].map(([rule, count]) =>
    count === 1 ? { rule } : { rule, note: `${count} times` },
  );
}

/** Drops empty objects that stand before a real value. */
function withoutEmpty(group: Group, task: ParseTask, repairs: Repair[]): Group {
  let start = 0;
  while (start < group.length - 1 && isEmptyObject(draftOf(group[start], task))) start += 1;
  const rest = group.slice(start);
  if (start === 0 || rest.every((part) => isEmptyObject(draftOf(part, task)))) return group;
  repairs.push({ rule: "removed-empty-object" });
  return rest;
}

function isEmptyObject(draft: Draft): boolean {
  return isDraftObject(draft) && Object.keys(draft).length === 0;
}

function draftOf(part: ReplyPart | undefined, task: ParseTask): Draft {
  if (part?.call !== undefined) return callDraft(part.call, task.schema);
  return part?.draft ?? null;
}

function isSame(part: ReplyPart, other: ReplyPart | undefined, task: ParseTask): boolean {
  return sameDraft(onlyItem(draftOf(part, task)), onlyItem(draftOf(other, task)));
}

function onlyItem(draft: Draft): Draft {
  return isDraftList(draft) && draft.length === 1 ? (draft[0] ?? null) : draft;
}

function wantsList({ schema }: ParseTask): boolean {
  const type = schema?.["type"];
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}
