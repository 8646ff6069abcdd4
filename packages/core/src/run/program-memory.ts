import type { Memory } from "../contracts/memory.ts";
import { SpecError } from "../errors/loopwright-error.ts";
import type { LinkedProgram } from "./linked-program.ts";

/** A memory of a compiled program, by its name in the spec, to list, show, remove or prune what it keeps. */
export function memoryOf(linked: LinkedProgram, name?: string): Memory {
  const { memories } = linked.program;
  const entry =
    name === undefined && memories.size === 1
      ? [...memories.values()][0]
      : memories.get(name ?? "");
  if (entry !== undefined) return linked.instances.memory(entry);
  const names = [...memories.keys()];
  const what =
    names.length === 0 ? "declares no memory" : `declares ${names.join(", ")}; name one of them`;
  throw new SpecError("input-invalid", `\`${linked.program.name}\` ${what}`);
}
