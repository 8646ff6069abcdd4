import {
  type ConstraintLayer,
  type ErrorCode,
  isLoopwrightError,
  messageOf,
  ProviderError,
} from "@loopwright/core/plugin";
import { codeOf, innermostOf } from "./causes.ts";
import { isBadAnswer, lackedLayer, type Refusal } from "./lacks.ts";
import { retryAfterMsOf } from "./retry-after.ts";
import { codeIn, parameterIn, wordsOf } from "./server-words.ts";
import { hostOf, shownUrl } from "./shown-url.ts";
import { UnreadableReply } from "./unreadable-reply.ts";

/** Where a fault happened, for its message. */
export interface Place {
  readonly baseUrl: string;
  readonly model: string;
  /** The environment variable of the key. */
  readonly keyName: string;
  /** The key itself, which no message may hold. */
  readonly key: string;
  readonly now: number;
  /** The layer on which the request asked for a schema. */
  readonly layer?: ConstraintLayer | undefined;
}

/** What the client library tells of a reply with an error status, or of an error inside a stream. */
interface ApiFault {
  readonly status?: number;
  readonly headers?: Headers;
  readonly code?: unknown;
  readonly error?: unknown;
}

/** Translates what the client library throws. */
export function toProviderError(thrown: unknown, place: Place): ProviderError {
  if (isLoopwrightError(thrown)) return withoutKey(thrown, place);
  if (thrown instanceof UnreadableReply) return toUnreadable(thrown, place);
  const fault = thrown as ApiFault;
  if (typeof fault?.status === "number") return toStatusError(fault, fault.status, place);
  if (fault?.error !== undefined && fault.error !== null) return toStreamError(fault, place);
  if (!(thrown instanceof SyntaxError)) return toNetworkError(thrown, place);
  return failure(place, {
    code: "provider-failed",
    what: "sent a reply that is not JSON",
    words: messageOf(thrown),
    advice: "Check `baseUrl`; it usually ends in /v1.",
    retryable: true,
  });
}

function toStatusError(fault: ApiFault, status: number, place: Place): ProviderError {
  const retryAfterMs = retryAfterMsOf(fault.headers, place.now);
  const words = wordsOf(thrownWords(fault));
  const serverCode =
    codeIn(fault.error) ?? (typeof fault.code === "string" ? fault.code : undefined);
  const refusal = { status, words, parameter: parameterIn(fault.error), serverCode };
  const lacks = lackedLayer(refusal, place.layer);
  return failure(place, {
    ...meaningOf(refusal, place),
    what: `answered ${status}`,
    words,
    details: {
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(lacks === undefined ? {} : { lacks }),
      ...(serverCode === undefined ? {} : { serverCode: withoutSecrets(serverCode, place) }),
    },
  });
}

/** What the endpoint said in place of a reply: the key is taken out before it is cut, so that no part of one stays. */
function toUnreadable({ said }: UnreadableReply, place: Place): ProviderError {
  const clean = withoutSecrets(said, place);
  const shown = clean.trim() === "" ? "with nothing" : `with: ${clean.trim().slice(0, 200)}`;
  return new ProviderError(
    "provider-failed",
    `The endpoint did not answer with a chat completion but ${shown}. ` +
      "Check `baseUrl` (it usually ends in /v1), or set `stream: false` where the server can't stream.",
    { details: { reply: clean.slice(0, 1_000) } },
  );
}

interface Meaning {
  readonly code: ErrorCode;
  readonly advice: string;
  readonly retryable: boolean;
}

function meaningOf(refusal: Refusal, place: Place): Meaning {
  const { status, serverCode } = refusal;
  if (status === 401 || status === 403) {
    return {
      code: "provider-unauthorized",
      advice: `Check the key in ${place.keyName} or \`apiKey\`, and its rights.`,
      retryable: false,
    };
  }
  // An empty account answers like a busy one; waiting does not fill it.
  if (status === 402 || serverCode === "insufficient_quota") {
    return {
      code: "provider-rejected",
      advice: "The account has no credit left: top it up.",
      retryable: false,
    };
  }
  if ([408, 409, 425, 429].includes(status) || status >= 500) {
    const advice = status === 429 ? "Wait, or lower the rate of calls." : "Try again later.";
    return { code: "provider-unavailable", advice, retryable: true };
  }
  if (isBadAnswer(refusal)) {
    const advice = "The model's answer was refused, not the request: try again.";
    return { code: "provider-failed", advice, retryable: true };
  }
  const advice =
    status === 404
      ? `Check the model name ${place.model} and \`baseUrl\`; it usually ends in /v1.`
      : "Change what the message names: model, options, tools or schema.";
  return { code: "provider-rejected", advice, retryable: false };
}

/** An error that came inside a stream, after a good status. */
function toStreamError(fault: ApiFault, place: Place): ProviderError {
  const code = Number((fault.error as { code?: unknown }).code ?? fault.code);
  if (Number.isInteger(code) && code >= 400 && code < 600) return toStatusError(fault, code, place);
  return failure(place, {
    code: "provider-failed",
    what: "broke off with an error",
    words: wordsOf(fault.error),
    advice: "Try again.",
    retryable: true,
  });
}

function toNetworkError(thrown: unknown, place: Place): ProviderError {
  const cause = codeOf(thrown);
  const url = shownUrl(place.baseUrl);
  if (cause === "ECONNREFUSED") {
    return new ProviderError(
      "provider-unavailable",
      `Nothing listens at ${url}: is the server running? Start it, or mend \`baseUrl\`.`,
      { retryable: true, details: { host: hostOf(url), cause } },
    );
  }
  if (cause === "ENOTFOUND" || cause === "EAI_AGAIN") {
    return new ProviderError(
      "provider-unavailable",
      `The host ${hostOf(url)} can't be found. Check the network and \`baseUrl\`.`,
      { retryable: true, details: { host: hostOf(url), cause } },
    );
  }
  return failure(place, {
    code: "provider-unavailable",
    what: "broke the connection",
    words: innermostOf(thrown),
    advice: "Check the network and try again.",
    retryable: true,
    details: cause === undefined ? {} : { cause },
  });
}

interface Failure extends Meaning {
  /** What the endpoint did, after its name. */
  readonly what: string;
  /** The server's or the system's own words. */
  readonly words?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

function failure(
  place: Place,
  { code, what, words = "", advice, retryable, details }: Failure,
): ProviderError {
  const host = hostOf(place.baseUrl);
  const said = withoutSecrets(words, place).slice(0, 500);
  const quote = said === "" ? "." : `: ${/[.!?]$/.test(said) ? said : `${said}.`}`;
  return new ProviderError(code, `${host} ${what}${quote} ${advice}`, {
    retryable,
    details: { host, ...details, ...(said === "" ? {} : { serverMessage: said }) },
  });
}

/** The server's own words: the body's `error`, else the library's message. */
function thrownWords(fault: ApiFault): unknown {
  return fault.error ?? messageOf(fault).replace(/^\d{3} /, "");
}

function withoutSecrets(words: string, { baseUrl, key }: Place): string {
  const clean = baseUrl === "" ? words : words.replaceAll(baseUrl, shownUrl(baseUrl));
  return key === "" ? clean : clean.replaceAll(key, "***");
}

/** A fault of ours, which may quote an endpoint that repeats the key. */
function withoutKey(fault: ProviderError, place: Place): ProviderError {
  const details = JSON.stringify(fault.details ?? {});
  if (place.key === "" || !`${fault.message} ${details}`.includes(place.key)) return fault;
  return new ProviderError(fault.code, withoutSecrets(fault.message, place), {
    retryable: fault.retryable,
    details: JSON.parse(withoutSecrets(details, place)) as Readonly<Record<string, unknown>>,
  });
}
