import type { Json } from "../contracts/json.ts";
import type { ToolFunction } from "../contracts/tool.ts";
import type { Frame } from "../run/run-scope.ts";
import type { KnownCall } from "./known-call.ts";
import { isListed } from "./stage-tool.ts";

/** What executes a call. */
export function toolFunction(frame: Frame, { entry }: KnownCall): ToolFunction<Json, unknown> {
  return isListed(entry)
    ? (entry.run as ToolFunction<Json, unknown>)
    : frame.run.linked.instances.tool(entry);
}
