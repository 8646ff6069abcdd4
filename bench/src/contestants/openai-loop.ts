import OpenAI from "openai";
import { KEY, priceOf, STEPS } from "../task.ts";
import type { Contestant, Endpoint } from "./contestant.ts";

type Message = OpenAI.ChatCompletionMessageParam;
type Call = OpenAI.ChatCompletionMessageFunctionToolCall;
type Request = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;

/** The agent written by hand over the `openai` package: no retries, no checks, no limits but its steps. */
export function openaiLoop(endpoint: Endpoint): Contestant {
  const client = new OpenAI({ apiKey: KEY, baseURL: endpoint.url, maxRetries: 0 });
  return { name: "openai loop", run: () => answer(client, endpoint), close: async () => {} };
}

async function answer(client: OpenAI, { stream, opening }: Endpoint): Promise<string> {
  const messages = [...opening.messages] as Message[];
  const tools = [...opening.tools] as OpenAI.ChatCompletionTool[];
  for (let step = 0; step <= STEPS; step += 1) {
    const request = { model: "stub", messages, tools };
    const { content, calls } = stream
      ? await askInPieces(client, request)
      : await ask(client, request);
    if (calls.length === 0) return content;
    messages.push({ role: "assistant", content, tool_calls: calls });
    for (const { id, function: call } of calls) {
      const { part } = JSON.parse(call.arguments) as { readonly part: string };
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(priceOf(part)) });
    }
  }
  throw new Error("no answer");
}

interface Said {
  readonly content: string;
  readonly calls: Call[];
}

async function ask(client: OpenAI, request: Request): Promise<Said> {
  const { choices } = await client.chat.completions.create(request);
  const message = choices[0]?.message;
  return { content: message?.content ?? "", calls: (message?.tool_calls ?? []) as Call[] };
}

async function askInPieces(client: OpenAI, request: Request): Promise<Said> {
  const calls: Call[] = [];
  let content = "";
  const stream = await client.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta;
    content += delta?.content ?? "";
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      const call = (calls[index] ??= {
        id: id ?? "",
        type: "function",
        function: { name: part?.name ?? "", arguments: "" },
      });
      call.function.arguments += part?.arguments ?? "";
    }
  }
  return { content, calls };
}
