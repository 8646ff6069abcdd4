import type { EventData, Json } from "@loopwright/core/plugin";
import { formatDuration, formatUsd } from "./amounts.ts";
import { compact, isRecord } from "./compact.ts";
import { aside, type Note, warning } from "./note.ts";

/** A reply that did not fit, and whether it is asked for again. */
export function rejectedNote(data: EventData["output.rejected"]): Note {
  return warning("misfit", `attempt ${data.attempt} of ${data.attempts}: ${data.message}`);
}

/** A limit, soft or hard. */
export function limitNote({ limit, soft, used, max }: EventData["limit.reached"]): Note {
  const amount = limit === "usd" ? `${formatUsd(used)} of ${formatUsd(max)}` : `${used} of ${max}`;
  // The pot of one tool stops nothing else.
  const [near, reached] = limit.startsWith("tools.")
    ? ["nearly used up", "not called any more"]
    : ["wrapping up", "stopping here"];
  return warning("limit", `${limit}: ${amount}, ${soft ? near : reached}`);
}

/** A memory that can't be read or written. */
export function memoryNote({ memory, message }: EventData["memory.failed"]): Note {
  return warning("memory", `${memory}: ${message.replaceAll(/\s+/gu, " ")}`);
}

/** Calls that a strategy left out because one step asked for too many; undefined where its fact has another shape. */
export function refusedNote(data: Json): Note | undefined {
  if (!isRecord(data) || typeof data["count"] !== "number") return undefined;
  const { count, max } = data;
  const most = typeof max === "number" ? ` above the ${max} of a step` : "";
  return warning("refused", `${count} ${count === 1 ? "call" : "calls"}${most}`);
}

/** Items that a strategy left out because there were too many; undefined where its fact has another shape. */
export function leftOutNote(data: Json): Note | undefined {
  if (!isRecord(data) || typeof data["count"] !== "number") return undefined;
  const { count, maxItems, option } = data;
  const name = typeof option === "string" ? option : "maxItems";
  const most = typeof maxItems === "number" ? ` above the ${maxItems} of \`${name}\`` : "";
  return warning("left out", `${count} ${count === 1 ? "item" : "items"}${most}`);
}

/** How many fields patterns have found and how many a model; undefined where the fact has another shape. */
export function extractedNote(data: Json): Note | undefined {
  if (!isRecord(data) || typeof data["byPattern"] !== "number") return undefined;
  const { of, byPattern, byModel, absent, unsupported, tooLong } = data;
  const names = (list: Json | undefined) =>
    (Array.isArray(list) ? list : []).map(String).join(", ");
  const parts = [
    `${byPattern} of ${Number(of)} fields by pattern, ${Number(byModel)} by the model`,
    ...(names(absent) === "" ? [] : [`not found: ${names(absent)}`]),
    ...(names(unsupported) === "" ? [] : [`without the words of the text: ${names(unsupported)}`]),
    ...(names(tooLong) === "" ? [] : [`too long for a pattern: ${names(tooLong)}`]),
  ];
  const text = parts.join("; ");
  return names(unsupported) === "" ? aside("extracted", text) : warning("extracted", text);
}

/** What no check could decide where no judge looks at it; undefined where the fact has another shape. */
export function uncheckedNote(data: Json): Note | undefined {
  if (!isRecord(data) || !Array.isArray(data["unchecked"])) return undefined;
  const { unchecked } = data;
  const items = unchecked.map((text) => ({ mark: "·" as const, text: String(text) }));
  const text = `no verdict: nobody looked at ${items.length} ${items.length === 1 ? "point" : "points"}`;
  return { ...warning("unchecked", text), items };
}

/** Text that a strategy did not read because it was too long. */
export function unreadNote(data: Json): Note | undefined {
  if (!isRecord(data) || typeof data["characters"] !== "number") return undefined;
  return warning("unread", `${data["characters"]} characters of the text`);
}

/** A question whether a tool may act. */
export function approvalNote(data: EventData["approval.requested"]): Note {
  const { tool, input, reason, expiresMs } = data;
  const until = expiresMs === undefined ? [] : [`within ${formatDuration(expiresMs)}, else no`];
  const remarks = [...(reason === "" ? [] : [reason]), ...until];
  return {
    ...warning("approve?", `${tool}  ${compact(input)}`.trim(), 6),
    items: remarks.map((text) => ({ mark: "·", text })),
  };
}

/** The reply to that question. */
export function approvedNote(data: EventData["approval.given"]): Note {
  const { tool, approved, by, reason, input } = data;
  const authors = {
    person: "by a person",
    policy: "by policy",
    "no-terminal": "nobody to ask",
    timeout: "nobody replied in time",
  };
  return {
    label: approved ? "approved" : "refused",
    tone: approved ? "good" : "bad",
    text: `${tool} ${authors[by]}${reason === "" ? "" : `: ${reason}`}`,
    maxLines: 2,
    items: input === undefined ? [] : [{ mark: "→", text: `with ${compact(input)}` }],
  };
}

/** A tool's result that looks like an attempt to steer the model. */
export function suspicionNote(data: EventData["injection.suspected"]): Note {
  const { tool, observation, kinds } = data;
  return warning("suspect", `[${observation}] of ${tool}: ${kinds.join(", ")}`, 2);
}

/** A question to a person. */
export function questionNote({ question, options }: EventData["question.asked"]): Note {
  const items = options.map((text, index) => ({ mark: `${index + 1}.`, text }));
  return { ...warning("question", question, 20), items };
}

/** A person's reply, or what holds without one. */
export function replyNote({ answered, reply, by }: EventData["question.answered"]): Note {
  const silence = {
    person: "no reply",
    timeout: "no reply in time",
    "no-terminal": "nobody to ask",
  };
  return {
    label: "reply",
    tone: "good",
    text: answered ? reply : `${silence[by]}: what the spec says for no answer holds`,
    maxLines: 6,
  };
}

/** What counts in the place of a reply that nobody gave; undefined where the fact has another shape. */
export function stoodInNote(data: Json): Note | undefined {
  if (!isRecord(data) || typeof data["reply"] !== "string") return undefined;
  const { reply } = data;
  return warning("reply", reply === "" ? "goes on with an empty one" : `by default: ${reply}`, 6);
}

/** An effect that a dry run leaves out. */
export function stubbedNote({ tool, input }: EventData["effect.stubbed"]): Note {
  return warning("dry run", `${tool} was not executed  ${compact(input)}`.trim(), 2);
}
