import type { JsonObject } from "../contracts/json.ts";
import type { ToolEntry, ToolPolicy } from "../program/program.ts";

/** A call whose tool is known and whose arguments fit. */
export interface KnownCall {
  readonly entry: ToolEntry;
  readonly policy: ToolPolicy;
  readonly callId: string;
  readonly input: JsonObject;
  /** True for the stand-in of a call that was not made, because it replays a recorded one. */
  readonly isReplayed?: boolean;
}
