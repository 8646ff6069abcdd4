import { KEY, priceOf, STEPS, type WireCall, type WireMessage } from "../task.ts";
import type { Contestant, Endpoint } from "./contestant.ts";

/** The agent written by hand over `fetch`: no retries, no checks, no limits but its steps. */
export function fetchLoop(endpoint: Endpoint): Contestant {
  return { name: "fetch loop", run: () => answer(endpoint), close: async () => {} };
}

async function answer({ url, stream, opening }: Endpoint): Promise<string> {
  const messages: WireMessage[] = [...opening.messages];
  for (let step = 0; step <= STEPS; step += 1) {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
      body: JSON.stringify({
        model: "stub",
        messages,
        tools: opening.tools,
        ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      }),
    });
    const message = stream ? await readEvents(response) : await readWhole(response);
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content ?? "";
    for (const { id, function: call } of calls) {
      const { part } = JSON.parse(call.arguments) as { readonly part: string };
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(priceOf(part)) });
    }
  }
  throw new Error("no answer");
}

async function readWhole(response: Response): Promise<WireMessage> {
  const { choices } = (await response.json()) as {
    readonly choices: readonly [{ readonly message: WireMessage }];
  };
  return choices[0].message;
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly (Partial<WireCall> & { readonly index: number })[];
    };
  }[];
}

async function readEvents(response: Response): Promise<WireMessage> {
  let content = "";
  const calls: WireCall[] = [];
  for (const line of (await response.text()).split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const delta = (JSON.parse(line.slice("data: ".length)) as Chunk).choices[0]?.delta;
    content += delta?.content ?? "";
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      const known = calls[index]?.function ?? { name: "", arguments: "" };
      calls[index] = {
        id: id ?? calls[index]?.id ?? "",
        type: "function",
        function: {
          name: known.name + (part?.name ?? ""),
          arguments: known.arguments + (part?.arguments ?? ""),
        },
      };
    }
  }
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}
