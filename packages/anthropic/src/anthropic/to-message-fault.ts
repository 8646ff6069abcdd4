import { isLoopwrightError, messageOf, ProviderError } from "@loopwright/core/plugin";
import { askedWaitMs } from "./asked-wait.ts";
import { hostOfAddress, plainAddress } from "./endpoint-address.ts";
import { type FaultMeaning, meaningOfStatus, meaningOfType } from "./fault-meaning.ts";
import { networkFault } from "./network-fault.ts";
import { NotAMessage } from "./not-a-message.ts";

/** Where a fault happened, and what was asked. */
export interface AskedEndpoint {
  readonly baseUrl: string;
  readonly model: string;
  /** What no message may hold: the key and the values of headers. */
  readonly secrets: readonly string[];
  /** True where the request held a schema for its text. */
  readonly asksSchema: boolean;
  readonly now: number;
}

/** What the library tells of a reply with an error status, or of an error inside a stream. */
interface ApiFault {
  readonly status?: number;
  readonly headers?: Headers;
  /** The whole body. */
  readonly error?: { readonly error?: { readonly type?: unknown; readonly message?: unknown } };
}

/** Translates what the library throws. */
export function toMessageFault(thrown: unknown, asked: AskedEndpoint): ProviderError {
  if (isLoopwrightError(thrown)) return thrown;
  if (thrown instanceof NotAMessage) return otherAnswer(thrown, asked);
  const fault = (thrown ?? {}) as ApiFault;
  if (typeof fault.status === "number") return statusFault(fault, fault.status, asked);
  if (fault.error !== undefined && fault.error !== null) {
    const { type } = innerOf(fault);
    return failure(asked, "broke off with an error", wordsOf(fault), meaningOfType(type));
  }
  if (thrown instanceof SyntaxError) {
    const advice = "Check `baseUrl` (without /v1).";
    const meaning = { code: "provider-failed", advice, retryable: true } as const;
    // Its own words quote the reply, cut anywhere, in a key too.
    return failure(asked, "sent a reply that is not JSON", "", meaning);
  }
  const { what, words, ...meaning } = networkFault(thrown);
  return failure(asked, what, words, meaning);
}

function otherAnswer({ said }: NotAMessage, asked: AskedEndpoint): ProviderError {
  const reply = withoutKeys(said, asked);
  return new ProviderError(
    "provider-failed",
    `The endpoint did not answer with a message but with: ${reply.slice(0, 200)}. ` +
      "Check `baseUrl` (without /v1), or set `stream: false` where the server can't stream.",
    { details: { reply: reply.slice(0, 1_000) } },
  );
}

function statusFault(fault: ApiFault, status: number, asked: AskedEndpoint): ProviderError {
  const words = wordsOf(fault);
  const retryAfterMs = askedWaitMs(fault.headers, asked.now);
  const { type } = innerOf(fault);
  const meaning = meaningOfStatus(status, asked.model, words);
  return failure(asked, `answered ${status}`, words, {
    ...meaning,
    details: {
      status,
      ...(typeof type === "string" ? { serverCode: type } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(status === 400 && asked.asksSchema && lacksSchema(words) ? { lacks: "json-schema" } : {}),
    },
  });
}

/** A refusal of the schema or of the field that holds it, by a model or an endpoint that has neither, or no room for it. */
const ABOUT_SCHEMA =
  /output_config(?!\.effort)|output[ _]format|structured[ _-]output|json_schema|compiled grammar|schema is too complex/i;

function lacksSchema(words: string): boolean {
  return ABOUT_SCHEMA.test(words) && !/\beffort\b/.test(words);
}

function innerOf({ error }: ApiFault): { readonly type?: unknown; readonly message?: unknown } {
  return error?.error ?? {};
}

/** The endpoint's own words: of the body's `error`, else the library's message. */
function wordsOf(fault: ApiFault): string {
  const { message } = innerOf(fault);
  return typeof message === "string" ? message.trim() : messageOf(fault).replace(/^\d{3} /, "");
}

function failure(
  asked: AskedEndpoint,
  what: string,
  words: string,
  { code, advice, retryable, details }: FaultMeaning,
): ProviderError {
  const host = hostOfAddress(asked.baseUrl);
  const said = withoutKeys(words, asked).slice(0, 500);
  const quote = said === "" ? "." : `: ${/[.!?]$/.test(said) ? said : `${said}.`}`;
  return new ProviderError(code, `${host} ${what}${quote} ${advice}`, {
    retryable,
    details: { host, ...details, ...(said === "" ? {} : { serverMessage: said }) },
  });
}

/** Strikes keys out, also as JSON writes them, and the part of a header that follows its scheme. */
function withoutKeys(words: string, { baseUrl, secrets }: AskedEndpoint): string {
  const plain = baseUrl === "" ? words : words.replaceAll(baseUrl, plainAddress(baseUrl));
  return secrets
    .flatMap((secret) => [secret, secret.replace(/^(?:basic|bearer|token) +/i, "")])
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "***"), plain);
}
