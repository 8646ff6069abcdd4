import type { Message } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { percent, printFigures } from "./figures.ts";
import { orphanLinesIn, orphansIn } from "./paired-calls.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll } from "./replay.ts";
import { answerInLine, asksForStep, saidInLines } from "./said-steps.ts";
import { nativeRun, textRun } from "./swe-agent-runs.ts";
import { WEB_SHOP_STEPS, webShopEpisodes } from "./webshop-episodes.ts";

const MODES = ["full", "compact", "latest"] as const;

const IN_TEXT = { say: saidInLines, sayAnswer: answerInLine, mayCall: asksForStep };

/** What the prompts of one corpus came to in one mode. */
interface PromptFigures {
  readonly mode: (typeof MODES)[number];
  readonly characters: number;
  /** Of all replays, the characters that each sent. */
  readonly perRun: readonly number[];
  /** Of all steps but the first: how many begin with all that the step before was sent, up to its last message. */
  readonly extending: number;
  readonly steps: number;
  /** Characters that stood at the same place in the prompt before: what a prefix cache spares. */
  readonly shared: number;
}

function written(message: Message): string {
  const calls =
    message.role === "assistant"
      ? message.toolCalls.map((call) => `${call.name}${call.arguments}`)
      : [];
  return [`${message.role}: ${message.text}`, ...calls].join("\n");
}

function charactersIn({ requests }: Replay): number {
  return requests.reduce((sum, { messages }) => sum + messages.map(written).join("\n").length, 0);
}

function extendsBefore(before: readonly Message[], messages: readonly Message[]): boolean {
  return before.slice(0, -1).every((message, index) => {
    const same = messages[index];
    return same !== undefined && written(message) === written(same);
  });
}

function sharedPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function figuresOf(mode: PromptFigures["mode"], replays: readonly Replay[]): PromptFigures {
  const pairs = replays.flatMap(({ requests }) =>
    requests.slice(1).map(({ messages }, index) => ({
      before: requests[index]?.messages ?? [],
      messages,
    })),
  );
  const shared = pairs.map(({ before, messages }) =>
    sharedPrefix(before.map(written).join("\n"), messages.map(written).join("\n")),
  );
  const perRun = replays.map(charactersIn);
  return {
    mode,
    perRun,
    characters: perRun.reduce((sum, count) => sum + count, 0),
    extending: pairs.filter(({ before, messages }) => extendsBefore(before, messages)).length,
    steps: pairs.length,
    shared: shared.reduce((sum, count) => sum + count, 0),
  };
}

async function measured(
  runs: readonly RecordedRun[],
  { maxSteps, inText = false }: { readonly maxSteps: number; readonly inText?: boolean },
): Promise<readonly PromptFigures[]> {
  const figures: PromptFigures[] = [];
  for (const mode of MODES) {
    const replays = await replayAll(runs, {
      ...(inText ? IN_TEXT : {}),
      tools: toolsIn(runs),
      policy: "repeat: 1000",
      react: `{ mode: ${inText ? "text" : "native"}, history: ${mode}, maxSteps: ${maxSteps} }`,
    });
    for (const { run, executed, requests, outcome } of replays) {
      expect(executed).toEqual(run.steps);
      expect(outcome.outcome).toBe("done");
      const orphans = inText ? orphanLinesIn : orphansIn;
      expect(requests.flatMap(({ messages }) => orphans(messages))).toEqual([]);
    }
    figures.push(figuresOf(mode, replays));
  }
  return figures;
}

function printed(title: string, figures: readonly PromptFigures[]): void {
  const full = figures[0]?.characters ?? 1;
  printFigures(
    `Prompt characters by history mode, ${title}`,
    figures.map(
      ({ mode, characters, extending, steps, shared }) =>
        `${mode.padEnd(8)} ${characters.toLocaleString("en").padStart(11)} (${percent(characters, full)} of full), ` +
        `${percent(extending, steps)} of ${steps} steps extend the prompt before, ` +
        `${percent(shared, characters)} of the characters are a repeated prefix`,
    ),
  );
}

describe("prompt characters by history mode, with no call parted from its result", () => {
  it("shrink from full to compact to latest on the WebShop episodes of 10 and more steps", async () => {
    const long = webShopEpisodes().filter(({ steps }) => steps.length >= 10);
    const figures = await measured(long, { maxSteps: WEB_SHOP_STEPS });
    printed(`${long.length} long WebShop episodes (text-davinci-002)`, figures);
    expectShrinking(figures);
  }, 120_000);

  it("shrink from full to compact to latest on the SWE-agent runs of 11 and more steps", async () => {
    const runs = [
      nativeRun(),
      textRun("marshmallow-1867-text-react"),
      textRun("pydicom-1458-gpt4"),
    ];
    const figures = await measured(runs, { maxSteps: 16 });
    printed("3 SWE-agent runs, native calls", figures);
    expectShrinking(figures);
    const textFigures = await measured(runs.slice(1), { maxSteps: 16, inText: true });
    printed("2 SWE-agent runs, text protocol", textFigures);
    expectShrinking(textFigures);
  }, 120_000);
});

/** No run grows, and their sum shrinks; most steps go on where the one before ended. */
function expectShrinking([full, compact, latest]: readonly PromptFigures[]): void {
  if (full === undefined || compact === undefined || latest === undefined)
    throw new Error("a mode was not measured");
  for (const [index, characters] of full.perRun.entries()) {
    expect(compact.perRun[index]).toBeLessThanOrEqual(characters);
    expect(latest.perRun[index]).toBeLessThan(characters);
  }
  expect(compact.characters).toBeLessThan(full.characters);
  expect(latest.characters).toBeLessThan(compact.characters);
  expect(full.extending).toBe(full.steps);
  expect(compact.extending / compact.steps).toBeGreaterThan(0.6);
  expect(latest.extending / latest.steps).toBeGreaterThan(0.6);
}
