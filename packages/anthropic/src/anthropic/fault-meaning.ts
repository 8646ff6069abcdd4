import type { ErrorCode } from "@loopwright/core/plugin";

/** What a fault means to the one who reads it. */
export interface FaultMeaning {
  readonly code: ErrorCode;
  readonly advice: string;
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

const busy: FaultMeaning = {
  code: "provider-unavailable",
  advice: "Try again later.",
  retryable: true,
};
const refused = (advice: string): FaultMeaning => ({
  code: "provider-rejected",
  advice,
  retryable: false,
});

/** What a status of the endpoint means, with its words; 529 is an overloaded one. */
export function meaningOfStatus(status: number, model: string, words: string): FaultMeaning {
  // An account without money answers as if the request were wrong.
  if (status === 402 || (status === 400 && /credit balance/i.test(words)))
    return refused("Check the account's billing and its credit.");
  switch (status) {
    case 401:
    case 403:
      return {
        code: "provider-unauthorized",
        advice: "Check the key in ANTHROPIC_API_KEY or `apiKey`, and its rights.",
        retryable: false,
      };
    case 404:
      return refused(`Check the model name ${model} and \`baseUrl\` (without /v1).`);
    case 413:
      return refused("The request is too large: send less, or shorten what the tools return.");
    case 429:
      return { ...busy, advice: "Wait, or lower the rate of calls." };
    default:
      return [408, 409, 425].includes(status) || status >= 500
        ? busy
        : refused("Change what the message names: model, options, tools or schema.");
  }
}

const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** What an error inside a stream means, by its type, as the same one before the stream would. */
export function meaningOfType(type: unknown): FaultMeaning {
  const status =
    typeof type === "string" && Object.hasOwn(STATUS_OF_TYPE, type) ? STATUS_OF_TYPE[type] : 500;
  const meaning = meaningOfStatus(status ?? 500, "of the request", "");
  return { ...meaning, details: { status: status ?? 500, serverCode: String(type) } };
}
