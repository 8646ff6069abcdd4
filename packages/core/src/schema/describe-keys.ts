import type { JsonSchema } from "../contracts/json.ts";
import { KEY_DESCRIPTIONS, type KeyPlace } from "./key-descriptions.ts";

/** The schemas of keys with what each is for; a description that stands already is kept. */
export function describeKeys(
  place: KeyPlace,
  properties: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const known = KEY_DESCRIPTIONS[place];
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const description = known[key];
      return [key, description === undefined ? schema : { description, ...schema }];
    }),
  );
}
