import { formatSpec } from "@loopwright/core";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { rewriteSpecs } from "../rewrite-specs.ts";

/** Writes specs in the one order of keys and quoting. */
export const fmt: CommandFunction = (given) => {
  if (given.positionals.length === 0)
    throw usageError("fmt needs a spec, like loopwright fmt agent.yaml");
  const isCheck = given.has("check");
  if (isCheck && given.has("stdout"))
    throw usageError("--check and --stdout exclude each other; see loopwright fmt --help");
  const code = rewriteSpecs(given.positionals, {
    rewrite: formatSpec,
    isCheck,
    isToStdout: given.has("stdout"),
    tell: (spec, _done, isChanged) =>
      isChanged ? `${spec}: ${isCheck ? "would change" : "written"}\n` : "",
  });
  return Promise.resolve(code);
};
