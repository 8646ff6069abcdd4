import type { StructuredFault } from "./structured-result.ts";

/** Ends the reading of one value; caught inside this folder, never seen outside. No Error, since a stack for each costs more than the reading. */
export class ReadFault {
  readonly code: StructuredFault;
  readonly message: string;
  readonly path: string | undefined;

  constructor(code: StructuredFault, message: string, path?: string) {
    this.code = code;
    this.message = message;
    this.path = path;
  }

  /** True where no other reading of the same text may be tried. */
  get isFinal(): boolean {
    return this.code === "timeout" || this.code === "too-deep" || this.code === "too-large";
  }
}
