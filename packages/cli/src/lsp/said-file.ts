import { resolve } from "node:path";
import type { Project } from "./projects.ts";

/** The file of a place as the compiler says it, absolute: it is relative to the project's root. */
export function saidFile({ root }: Project, file: string): string {
  return resolve(root, file);
}
