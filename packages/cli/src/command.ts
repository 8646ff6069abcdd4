import type { Arguments, OptionDeclarations } from "./arguments.ts";
import type { ExitCode } from "./exit-codes.ts";

/** Does what a command is for. Contract: prints for itself; what it throws is told by its message alone. */
export type CommandFunction = (given: Arguments) => Promise<ExitCode>;

/** One command: what `--help` says, what it takes, and how its code is loaded. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** At most 80 columns wide. */
  readonly help: string;
  readonly options: OptionDeclarations;
  /** Left out of `loopwright --help`: it has another door. */
  readonly isHidden?: boolean;
  readonly load: () => Promise<CommandFunction>;
}
