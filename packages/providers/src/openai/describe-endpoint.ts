import type { DescribedModel, JsonObject, ModelDescription } from "@loopwright/core/plugin";
import { formsOf } from "./forms-of.ts";
import type { Profile } from "./profile-fields.ts";
import { profileOf } from "./profiles.ts";
import { layerOf } from "./to-request.ts";

/** Where a profile's models are asked with these options, the variables that hold what it needs to be let in, and how a model is asked for a schema. */
export function describeEndpoint(
  id: string,
  options: JsonObject,
  asked?: DescribedModel,
): ModelDescription {
  const profile = profileOf(id, asked?.overrides);
  const { endpoint: usual, needsKey, keyName } = profile;
  const { baseUrl } = options;
  const endpoint = typeof baseUrl === "string" ? baseUrl : usual;
  const own = options["apiKey"] === undefined && needsKey && !isLoopback(endpoint) ? [keyName] : [];
  const said = JSON.stringify([options["apiKey"] ?? "", options["headers"] ?? {}]);
  const named = [...said.matchAll(/\$\{secret:([^}:]+)/g)].map((match) => match[1] ?? "");
  const shown = endpoint === "" ? {} : { endpoint };
  const forms = asked === undefined ? {} : formsInUse(profile, asked, options["stream"] !== false);
  return { ...shown, keys: [...new Set([...own, ...named])], ...forms };
}

/** The forms of a model, as its sampling leaves them: some endpoints take none while it thinks. */
function formsInUse(
  profile: Profile,
  { model, sampling }: DescribedModel,
  stream: boolean,
): Partial<ModelDescription> {
  const forms = formsOf(profile, model);
  const output = { name: "", schema: {}, layer: forms.structured };
  const layer = layerOf({ model, output, sampling }, profile, stream) ?? forms.structured;
  return { ...forms, structured: layer };
}

/** Whether an address is this machine's. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
