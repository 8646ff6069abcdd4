import type { OptionsProblem, ProviderSetup } from "@loopwright/core/plugin";
import { patternFaults } from "./model-pattern.ts";
import { profileOf } from "./profiles.ts";
import { hasUser, shownUrl } from "./shown-url.ts";

/** Why no call could be made to an endpoint as the spec says it. */
export function endpointProblems(
  { baseUrl }: { readonly baseUrl?: string },
  { profile: id, overrides }: Pick<ProviderSetup, "profile" | "overrides">,
): readonly OptionsProblem[] {
  const profile = profileOf(id, overrides);
  const address = addressProblem(baseUrl ?? profile.endpoint);
  const at = baseUrl === undefined ? "profile" : "baseUrl";
  const { keyName } = profile;
  return [
    ...(address === undefined ? [] : [{ ...address, option: at }]),
    ...patternFaults(profile).map((message) => ({
      message,
      option: "profile",
      repair: "mend the pattern, or leave the field out",
    })),
    ...(keyName === "" || /^[A-Za-z_]\w*$/u.test(keyName)
      ? []
      : [
          {
            message: `\`keyName: ${keyName}\` is no name of an environment variable`,
            option: "profile",
            repair: `write \`keyName: ${keyName.replaceAll(/\W+/gu, "_").toUpperCase()}\``,
          },
        ]),
  ];
}

function addressProblem(url: string): OptionsProblem | undefined {
  if (url === "")
    return {
      message: "this profile has no address of its own",
      repair: 'write `baseUrl: "http://127.0.0.1:8000/v1"` at the model, with your endpoint',
    };
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol !== "http:" && protocol !== "https:")
    return {
      message: `the address ${JSON.stringify(shownUrl(url))} does not begin with http:// or https://`,
      repair: "write it with http:// or https:// before the host, up to /v1",
    };
  if (!hasUser(url)) return undefined;
  return {
    // The call is refused; what shows endpoints shows this one all the same.
    severity: "warning",
    message: "a URL with a user or password can't be used",
    repair: `write \`${shownUrl(url)}\`, and what lets you in as \`apiKey\`, as \`\${secret:NAME}\``,
  };
}
