import type { Message } from "@loopwright/core";

/** The calls without a result right behind them, and the results without their call right before them. */
export function orphansIn(messages: readonly Message[]): readonly string[] {
  let open: string[] = [];
  const orphans: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const at = open.indexOf(message.callId);
      if (at < 0) orphans.push(`result ${message.callId}`);
      else open.splice(at, 1);
      continue;
    }
    orphans.push(...open.map((id) => `call ${id}`));
    open = message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [];
  }
  return [...orphans, ...open.map((id) => `call ${id}`)];
}

/** As `orphansIn`, for the text protocol: an action is a line of the model, and what it came to opens the next message. */
export function orphanLinesIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, index) => {
    const { text } = message;
    if (isAction(message)) return isResult(messages[index + 1]) ? [] : [`action ${text}`];
    return isResult(message) && !isAction(messages[index - 1]) ? [`result ${text}`] : [];
  });
}

function isAction(message: Message | undefined): boolean {
  return message?.role === "assistant" && /^Action:/mu.test(message.text);
}

function isResult(message: Message | undefined): boolean {
  return message?.role === "user" && message.text.startsWith("Observation:\n<observation id=");
}
