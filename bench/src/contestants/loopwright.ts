import { createApp, Fetch, type PluginPackage, provide } from "@loopwright/core";
import { defineTool, Type } from "@loopwright/core/plugin";
import { providers } from "@loopwright/providers";
import { strategies } from "@loopwright/strategies";
import { KEY, type Opening, priceOf, QUESTION, STEPS } from "../task.ts";
import type { Contestant, Endpoint } from "./contestant.ts";

/** The agent as a spec, compiled once; nobody listens to its events. */
export async function loopwright({ url, stream }: Endpoint): Promise<Contestant> {
  const app = await createApp({ plugins, discovery: false, env });
  const program = await app.compile({ text: specFor(url, stream) });
  return {
    name: "loopwright",
    run: async () => (await app.start(program).outcome).answer.text,
    close: () => app.close(),
  };
}

/** What the spec sends first: the hand-written loops say the same. */
export async function readOpening(url: string): Promise<Opening> {
  const bodies: Opening[] = [];
  const listening: typeof fetch = (input, init) => {
    bodies.push(JSON.parse(init?.body as string) as Opening);
    return fetch(input, init);
  };
  const services = [provide(Fetch, listening)];
  const app = await createApp({ plugins, services, discovery: false, env });
  const program = await app.compile({ text: specFor(url, false) });
  await app.start(program).outcome;
  await app.close();
  const [first] = bodies;
  if (first === undefined) throw new Error("the agent asked no model");
  return { messages: first.messages, tools: first.tools };
}

const price = defineTool({
  id: "price",
  description: "Tells what a spare part costs today, in cents. Use it once for each part.",
  options: Type.Object({}),
  input: Type.Object({ part: Type.String({ description: "The part, such as part-1." }) }),
  output: Type.Object({ part: Type.String(), cents: Type.Integer() }),
  effect: "read",
  create:
    () =>
    async ({ part }) =>
      priceOf(part),
});

const plugins: readonly PluginPackage[] = [
  strategies,
  providers,
  { name: "bench", entries: [{ kind: "tool", id: "price", load: async () => price }] },
];

const env = { OPENAI_API_KEY: KEY };

function specFor(url: string, stream: boolean): string {
  return `apiVersion: loopwright/v1
name: price-desk
task: ${JSON.stringify(QUESTION)}
model: { use: openai/stub, baseUrl: ${url}, stream: ${stream} }
tools: [price]
strategy:
  - react: { maxSteps: ${STEPS + 1} }
`;
}
