import { Clock, defineSink, type SinkDefinition, Terminal, Type } from "@loopwright/core/plugin";
import { Narrator } from "./console/narrator.ts";

const options = Type.Object({
  level: Type.Union([Type.Literal("quiet"), Type.Literal("normal"), Type.Literal("verbose")], {
    description:
      "quiet: what a run ends with, and why; normal: what it thinks, does and finds; verbose: every text in full, and what each call took.",
    default: "normal",
  }),
  showDeltas: Type.Boolean({
    description: "Print what a model writes while it writes it.",
    default: false,
  }),
});

/** Prints runs for a person to read as they happen: plain lines in a pipe, with a live status line on a terminal. */
export const consoleSink: SinkDefinition = defineSink({
  id: "console",
  description: "Prints what a run thinks, does and finds, for a person to read as it happens.",
  options,
  inject: { terminal: Terminal, clock: Clock },
  create: (telling, { terminal, clock }) => new Narrator(terminal, clock, telling),
});
