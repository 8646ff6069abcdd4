import { parseArgs } from "node:util";
import { usageError } from "./command-error.ts";
import { nearestName } from "./nearest-name.ts";

/** One option of a command. */
interface OptionDeclaration {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
}

/** The options of a command by their long names. */
export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

type Value = string | boolean | readonly (string | boolean)[];

/** The arguments of a command, read. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, Value | undefined>>;

  constructor(positionals: readonly string[], values: Readonly<Record<string, Value | undefined>>) {
    this.positionals = positionals;
    this.#values = values;
  }

  /** Whether a flag was given. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The value of an option, the last one where it was given twice. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Every value of an option that may be given several times. */
  list(name: string): readonly string[] {
    const value = this.#values[name];
    if (typeof value === "string") return [value];
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  }
}

/** Reads the arguments of a command; throws a usage error that names the nearest option. */
export function readArguments(
  command: string,
  argv: readonly string[],
  declared: OptionDeclarations,
): Arguments {
  const options = { ...declared, help: { type: "boolean", short: "h" } as const };
  try {
    const { values, positionals } = parseArgs({
      args: withNumbers(argv, options),
      options,
      allowPositionals: true,
    });
    return new Arguments(positionals, values);
  } catch (fault) {
    throw toUsageError(command, fault, argv, Object.keys(options));
  }
}

/** A negative number stands behind `=`, so that an option's own words refuse it. */
function withNumbers(argv: readonly string[], options: OptionDeclarations): string[] {
  const args: string[] = [];
  const end = argv.indexOf("--");
  for (const [index, text] of argv.entries()) {
    const before = args.at(-1) ?? "";
    const takesText = before.startsWith("--") && options[before.slice(2)]?.type === "string";
    const isIn = end === -1 || index < end;
    if (takesText && isIn && /^-\d/u.test(text)) args[args.length - 1] = `${before}=${text}`;
    else args.push(text);
  }
  return args;
}

function toUsageError(
  command: string,
  fault: unknown,
  argv: readonly string[],
  names: readonly string[],
): unknown {
  const { code, message } = fault as { readonly code?: unknown; readonly message: string };
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS_")) return fault;
  const option = /'(?:-\w, )?(-[^'\s]*)/u.exec(message)?.[1] ?? "";
  const help = `see loopwright ${command} --help`;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const near = nearestName(option.replace(/^-+/u, ""), names);
    const hint = near === undefined ? help : `did you mean --${near}?`;
    return usageError(`\`${command}\` has no option ${option}; ${hint}`);
  }
  const takesValue = /argument missing|is ambiguous/u.test(message);
  const at = argv.indexOf(option);
  const isDashed = at !== -1 && /^-[^-]/u.test(argv[at + 1] ?? "");
  const how = isDashed ? `; one that begins with a minus is written ${option}=VALUE` : "";
  const what = takesValue ? `${option} needs a value${how}` : `${option} takes no value`;
  return usageError(`${what}; ${help}`);
}

/** Refuses arguments that a command has no use for. */
export function refusePositionals(command: string, extra: readonly string[]): void {
  if (extra.length === 0) return;
  throw usageError(
    `\`${command}\` takes no \`${extra.join(" ")}\`; see loopwright ${command} --help`,
  );
}
