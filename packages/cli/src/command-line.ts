import { readArguments } from "./arguments.ts";
import { usageError } from "./command-error.ts";
import { COMMANDS } from "./command-table.ts";
import { commandVersion } from "./command-version.ts";
import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";
import { EXITS, USAGE } from "./help-texts.ts";
import { nearestName } from "./nearest-name.ts";

/** Runs the command that a command line names; returns what to exit with. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  const [first, ...rest] = argv;
  switch (first) {
    case undefined:
    case "--help":
    case "-h":
      return print(generalHelp());
    case "help":
      return rest[0] === undefined ? print(generalHelp()) : print(commandOf(rest[0]).help);
    case "--version":
    case "-v":
      return print(`${commandVersion()}\n`);
    default:
  }
  const command = commandOf(first);
  const given = readArguments(command.name, rest, command.options);
  if (given.has("help")) return print(command.help);
  return (await command.load())(given);
}

function commandOf(name: string): ReturnType<typeof COMMANDS.get> & object {
  const command = COMMANDS.get(name);
  if (command !== undefined) return command;
  const isOption = name.startsWith("-");
  const what = isOption ? "option" : "command";
  const near = nearestName(name, isOption ? ["--help", "--version"] : COMMANDS.keys());
  const isFile = /\.ya?ml$|\.json$/u.test(name);
  const meant = isFile ? `loopwright run ${name}` : near;
  const hint = meant === undefined ? "see loopwright --help" : `did you mean \`${meant}\`?`;
  throw usageError(`there is no ${what} \`${name}\`; ${hint}`);
}

function generalHelp(): string {
  const rows = [...COMMANDS.values()]
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`);
  return `${USAGE}\ncommands\n${rows.join("\n")}\n\n${EXITS}`;
}

function print(text: string): ExitCode {
  process.stdout.write(text);
  return EXIT_CODES.done;
}
