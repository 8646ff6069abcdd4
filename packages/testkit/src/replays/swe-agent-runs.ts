import type { JsonObject } from "@loopwright/core";
import { fixtureText } from "./read-fixture.ts";
import type { RecordedRun, RecordedStep } from "./recorded-run.ts";

/** A published trajectory, as far as the tests need it. */
interface Trajectory {
  readonly trajectory: readonly {
    readonly action: string;
    readonly observation: string;
    readonly thought: string;
  }[];
  readonly history: readonly HistoryMessage[];
  readonly info: { readonly exit_status: string; readonly submission: string };
}

interface HistoryMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** One published SWE-agent run. */
export interface SweAgentRun extends RecordedRun {
  /** The patch that the log says was handed in. */
  readonly submission: string;
}

/** The published run that calls tools natively. */
export function nativeRun(): SweAgentRun {
  const { trajectory, history, info } = read("marshmallow-1867-function-calling");
  const calls = history.flatMap((message) => message.tool_calls ?? []);
  const steps = trajectory.map(({ thought, observation }, index): RecordedStep => {
    const call = calls[index];
    if (call === undefined) throw new Error(`step ${index} has no call`);
    const { name, arguments: text } = call.function;
    return {
      tool: name,
      input: JSON.parse(text) as JsonObject,
      observation,
      thought,
      id: call.id,
    };
  });
  return { ...head("native", history, info), steps };
}

/** A published run in the protocol of a discussion and one command: the first word of the command is the tool. */
export function textRun(file: string): SweAgentRun {
  const { trajectory, history, info } = read(file);
  const steps = trajectory.map(({ action, thought, observation }): RecordedStep => {
    const [, tool = "", rest = ""] = /^(?<tool>\S+)\s?(?<rest>.*)$/su.exec(action.trimEnd()) ?? [];
    return { tool, input: { command: rest }, observation, thought: thought.trim() };
  });
  return { ...head(file, history, info), steps };
}

/** The lines that a run puts into files, whichever form its calls have. */
export function editsOf({ steps }: RecordedRun): readonly string[] {
  return steps.flatMap(({ tool, input }) => {
    if (tool !== "edit") return [];
    const { command, replacement_text: text, start_line: start, end_line: end } = input;
    if (typeof command === "string") return [command.replace(/\nend_of_edit\n?$/u, "")];
    const lines = [start, end].map((line) => JSON.stringify(line)).join(":");
    return [`${lines}\n${typeof text === "string" ? text : ""}`];
  });
}

/** A patch with the line ends of one system. */
export function patchText(patch: string): string {
  return patch.replaceAll("\r\n", "\n").trim();
}

function head(
  name: string,
  history: readonly HistoryMessage[],
  { submission }: Trajectory["info"],
): Omit<SweAgentRun, "steps"> {
  const task = history.find(({ role }) => role === "user")?.content ?? "";
  return { name, task, answer: "The patch is handed in.", submission };
}

function read(file: string): Trajectory {
  return JSON.parse(fixtureText(`swe-agent/${file}.json.gz`)) as Trajectory;
}
