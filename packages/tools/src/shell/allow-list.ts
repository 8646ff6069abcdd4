import { didYouMean, type OptionsProblem, ToolError } from "@loopwright/core/plugin";

/** What a spec allows: a program with the words it begins with, and patterns for the arguments after them. */
export type Allowed = string | { readonly command: string; readonly arguments: readonly string[] };

/** One entry of the list, read. */
interface Rule {
  readonly program: string;
  readonly first: readonly string[];
  /** Each argument after the first ones matches one of these as a whole; undefined where they are free. */
  readonly patterns?: readonly RegExp[];
}

/** Programs that run whatever their arguments say. */
const launchers: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh fish env xargs sudo doas su nohup time timeout nice find ssh node deno bun npx python python3 perl ruby php eval exec awk make docker".split(
    " ",
  ),
);

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
    return [{ message, option, repair: "write `allow: [ls, git log]`" }];
  }
  return allow.flatMap((one): readonly OptionsProblem[] => {
    const [program, ...first] = wordsOf(one);
    if (program === undefined)
      return [{ message: "an entry of `allow` names no program", option, repair: "delete it" }];
    const wrong = typeof one === "string" ? undefined : one.arguments.find(isNoPattern);
    if (wrong !== undefined) {
      const message = `\`${wrong}\` is no regular expression`;
      return [{ message, option, repair: "write one like `--max-count=[0-9]+`" }];
    }
    const isFree = typeof one === "string" && first.length === 0;
    if (!isFree || !launchers.has(nameOf(program))) return [];
    const message = `\`${program}\` runs whatever its arguments say: this allows every program`;
    const repair = `allow the commands themselves, or say \`{ command: ${program}, arguments: [...] }\``;
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
    throw new ToolError("tool-failed", `${reason}. Allowed: ${manualOf(allow)}.`);
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
    rest.every((argument) => patterns.some((pattern) => pattern.test(argument)))
  );
}

function wordsOf(one: Allowed): readonly string[] {
  const command = typeof one === "string" ? one : one.command;
  return command.split(/\s+/).filter((word) => word !== "");
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function patternOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, "su");
}

function isNoPattern(pattern: string): boolean {
  try {
    patternOf(pattern);
    return false;
  } catch {
    return true;
  }
}
