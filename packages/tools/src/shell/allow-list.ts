import {
  didYouMean,
  faultOfPattern,
  type OptionsProblem,
  ToolError,
} from "@loopwright/core/plugin";
import { isLauncher } from "./launchers.ts";

/** What a spec allows: a program with the words it begins with, and patterns for the arguments after them. */
export type Allowed = string | { readonly command: string; readonly arguments: readonly string[] };

/** One entry of the list, read. */
interface Rule {
  readonly program: string;
  readonly first: readonly string[];
  /** Each argument after the first ones matches one of these as a whole; undefined where they are free. */
  readonly patterns?: readonly RegExp[];
}

/** The longest argument that patterns are tried on: their time may grow with its square. */
const longestArgument = 2_000;

/** The programs of a list, each once. */
export function programsOf(allow: readonly Allowed[]): readonly string[] {
  return [...new Set(allow.flatMap((one) => wordsOf(one).slice(0, 1)))];
}

/** What a model reads about the arguments that are allowed. */
export function manualOf(allow: readonly Allowed[]): string {
  return allow
    .map((one) => {
      const words = wordsOf(one).join(" ");
      if (typeof one === "string") return `\`${words} ...\``;
      if (one.arguments.length === 0) return `\`${words}\` and nothing more`;
      return `\`${words}\` with arguments like ${one.arguments.map((pattern) => `/${pattern}/`).join(" or ")}`;
    })
    .join("; ");
}

/** Finds what is wrong with a list. */
export function problemsOf(allow: readonly Allowed[]): readonly OptionsProblem[] {
  const option = "allow";
  if (allow.length === 0) {
    const message = "`shell` runs nothing until `allow` names what it may run";
    return [{ message, option, repair: `write \`allow: [ls, ${example("git log")}]\`` }];
  }
  return allow.flatMap((one): readonly OptionsProblem[] => {
    const [program, ...first] = wordsOf(one);
    if (program === undefined)
      return [{ message: "an entry of `allow` names no program", option, repair: "delete it" }];
    if (typeof one !== "string") return one.arguments.flatMap(patternProblem);
    if (!isLauncher(program, first)) return [];
    const words = [program, ...first].join(" ");
    const message = `\`${words}\` can run other programs or write any file, as its further arguments say`;
    const repair = `say which ones: \`${example(words)}\``;
    return [{ message, option, repair, severity: "warning" }];
  });
}

/** Compiles a list into a judge that throws a ToolError, with what would be allowed, for any other call. */
export function compileAllowList(
  allow: readonly Allowed[],
): (program: string, args: readonly string[]) => void {
  const rules = allow.map(readRule);
  return (program, args) => {
    const own = rules.filter((rule) => rule.program === program);
    if (own.some((rule) => fits(rule, args))) return;
    const known = programsOf(allow);
    const reason =
      own.length === 0
        ? `\`${program}\` is not allowed: ${didYouMean(program, known) ?? `the programs are ${known.join(", ")}`}`
        : `These arguments of \`${program}\` are not allowed`;
    const end = reason.endsWith("?") ? "" : ".";
    throw new ToolError("tool-failed", `${reason}${end} Allowed: ${manualOf(allow)}.`);
  };
}

function readRule(one: Allowed): Rule {
  const [program = "", ...first] = wordsOf(one);
  if (typeof one === "string") return { program, first };
  return { program, first, patterns: one.arguments.map(patternOf) };
}

function fits({ first, patterns }: Rule, args: readonly string[]): boolean {
  if (first.some((word, index) => args[index] !== word)) return false;
  const rest = args.slice(first.length);
  return (
    patterns === undefined ||
    rest.every(
      (argument) =>
        argument.length <= longestArgument && patterns.some((pattern) => pattern.test(argument)),
    )
  );
}

function wordsOf(one: Allowed): readonly string[] {
  const command = typeof one === "string" ? one : one.command;
  return command.split(/\s+/).filter((word) => word !== "");
}

function patternOf(pattern: string): RegExp {
  return new RegExp(wholly(pattern), "su");
}

function wholly(pattern: string): string {
  return `^(?:${pattern})$`;
}

/** A pattern has to be one by itself, and, as arguments come from a model, one that ends in time on any of them. */
function patternProblem(pattern: string): readonly OptionsProblem[] {
  const alone = pattern === "" ? undefined : faultOfPattern(pattern);
  const fault = alone?.kind === "malformed" ? alone : faultOfPattern(wholly(pattern));
  if (fault === undefined) return [];
  const message =
    fault.kind === "malformed"
      ? `\`${pattern}\` is no regular expression`
      : `\`${pattern}\` ${fault.message}`;
  return [{ message, option: "allow", repair: `${fault.suggestion}, like \`--max-count=[0-9]+\`` }];
}

function example(words: string): string {
  return `{ command: ${words}, arguments: ['--max-count=[0-9]+'] }`;
}
