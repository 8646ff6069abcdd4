import type { EventData, RunEvent } from "@loopwright/core/plugin";
import { type Note, warning } from "./note.ts";

/** What people did to the run while it worked; undefined for any other event. */
export function liveNote(event: RunEvent): Note | undefined {
  switch (event.name) {
    case "switch.changed":
      return warning("switch", switchText(event.data));
    case "message.received":
      return { label: "message", tone: "good", text: event.data.text, maxLines: 3 };
    case "message.missed":
      return warning("message", `came too late to be read: ${event.data.text}`);
    default:
      return undefined;
  }
}

function switchText(data: EventData["switch.changed"]): string {
  const limits = Object.entries(data.limits).map(([limit, max]) => `${limit} ${max}`);
  const off = [...data.stages, ...data.tools];
  const what = [
    ...(off.length === 0 ? [] : [`${data.isOn ? "off" : "back"}: ${off.join(", ")}`]),
    ...(limits.length === 0
      ? []
      : [`${data.isOn ? "at most" : "no longer at most"} ${limits.join(", ")}`]),
  ];
  return `${data.switch} is ${data.isOn ? "on" : "off again"} (${what.join("; ")})`;
}
