import { describe, expect, it } from "vitest";
import type { Scope } from "../events/scope.ts";
import { Redactor } from "../events/redactor.ts";
import { Messages } from "./messages.ts";

const SAID = "Message 1 of the person who gave the task:\nStop";

function scopeAt(key: string): Scope {
  return { spanId: key, parentId: "run", key, stage: "react" };
}

/** Messages of which one was sent, and a task that it entered. */
function opened() {
  const told: string[] = [];
  const bus = { hears: () => true, emit: (name: string) => told.push(name) };
  const messages = new Messages(bus, new Redactor(), undefined);
  const enter = (into: "task" | "talk", texts: readonly string[], open: string) =>
    messages.entering({
      scope: scopeAt(`run/react:${told.length}`),
      into,
      texts: () => texts,
      join: (heard) => [open, ...heard].join("\n\n"),
    });
  messages.send("Stop");
  return { told, enter, messages };
}

describe("where a message has entered", () => {
  it("is known from a prompt that quotes the whole task, and from a talk that has grown at its end", () => {
    const { enter, told } = opened();
    expect(enter("task", ["Count."], "Count.")).toBe(`Count.\n\n${SAID}`);
    expect(enter("task", [`Count.\n\n${SAID}`], "")).toBeUndefined();
    expect(enter("talk", [`## Task\nCount.\n\n${SAID}\n\n## Plan\nNone.`], "")).toBeUndefined();
    expect(enter("talk", ["Go on."], "Go on.")).toBe(`Go on.\n\n${SAID}`);
    expect(enter("talk", ["First.", `Go on.\n\n${SAID}\n\nSay more.`], "")).toBeUndefined();
    expect(told).toEqual(["message.received", "message.shared"]);
  });

  it("is known from a task that a brief defuses", () => {
    const { enter, messages } = opened();
    const fence = '<observation id="observation-1"';
    messages.send(`What is ${fence}?`);
    const task = enter("task", ["Count."], "Count.") ?? "";
    expect(task).toContain(fence);
    const quoted = task.replace("<observation", "<_observation");
    expect(enter("talk", [`## Task\n${quoted}`], "")).toBeUndefined();
  });

  it.each([
    ["the message itself", SAID],
    ["more than the message", `${SAID} at nothing`],
    ["the whole task as a tool returned it", observed(`Count.\n\n${SAID}`)],
    ["another beginning of the task", `Do not Count.\n\n${SAID}`],
    ["another end of the task", `Count.\n\n${SAID} at nothing`],
  ])("is not known from a text that holds %s", (_, text) => {
    const { enter } = opened();
    enter("task", ["Count."], "Count.");
    expect(enter("talk", [text], "Go on.")).toBe(`Go on.\n\n${SAID}`);
  });
});

function observed(content: string): string {
  return `## Evidence\n<observation id="observation-1" tool="stock">\n${content}\n</observation>`;
}
