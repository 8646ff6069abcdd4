import { createHash } from "node:crypto";
import type { JsonSchema } from "../contracts/json.ts";
import type { ProviderRequest } from "../contracts/provider.ts";

/** The form that a reply is asked for, whatever the endpoint is sent of it. */
export interface AskedForm {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** SHA-256, hex, over what a model is told: equal conversations hash alike, whatever run, stage or model they are for, and on whatever layer the schema is asked for. */
export function requestHash(
  { messages, tools }: Pick<ProviderRequest, "messages" | "tools">,
  form: AskedForm | undefined,
): string {
  const asked = form === undefined ? null : { name: form.name, schema: form.schema };
  return createHash("sha256")
    .update(JSON.stringify([messages, tools, asked]))
    .digest("hex");
}
