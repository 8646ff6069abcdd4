import { messageOf } from "@loopwright/core/plugin";
import type { FaultMeaning } from "./fault-meaning.ts";

const MAX_DEPTH = 5;

/** A fault of the connection, told by its innermost cause. */
export interface NetworkFault extends FaultMeaning {
  readonly what: string;
  readonly words: string;
}

/** Says what broke between here and the endpoint. */
export function networkFault(thrown: unknown): NetworkFault {
  const chain = causesOf(thrown);
  const code = chain.map(codeOf).find((one) => one !== undefined);
  const base = {
    code: "provider-unavailable",
    retryable: true,
    details: code === undefined ? {} : { cause: code },
  } as const;
  if (code === "ECONNREFUSED") {
    const advice = "Is the server running? Start it, or mend `baseUrl`.";
    return { ...base, what: "refuses connections: nothing listens there", words: "", advice };
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return {
      ...base,
      what: "can't be found",
      words: "",
      advice: "Check the network and `baseUrl`.",
    };
  const words = messageOf(chain.at(-1));
  return {
    ...base,
    what: "broke the connection",
    words,
    advice: "Check the network and try again.",
  };
}

function causesOf(thrown: unknown): readonly unknown[] {
  const chain: unknown[] = [thrown];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const { cause, errors } = (chain.at(-1) ?? {}) as { cause?: unknown; errors?: unknown };
    const next = cause ?? (Array.isArray(errors) ? (errors as readonly unknown[])[0] : undefined);
    if (typeof next !== "object" || next === null) break;
    chain.push(next);
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}
