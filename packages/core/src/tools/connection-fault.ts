/** Faults of a connection that the next one may not have. */
const PASSING: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
]);

/** Those of them that come before anything could be sent. */
const UNSENT: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const maxCauses = 5;

/** The code of a fault of a connection that may pass, also below other errors; undefined for every other fault. */
export function connectionFault(thrown: unknown): string | undefined {
  let fault = thrown;
  for (let depth = 0; depth < maxCauses; depth += 1) {
    if (typeof fault !== "object" || fault === null) return undefined;
    const { code, cause } = fault as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === "string" && PASSING.has(code)) return code;
    fault = cause;
  }
  return undefined;
}

/** True for a connection that was lost when something may have been sent already: whether it arrived is not known. */
export function isLostMidway(thrown: unknown): boolean {
  const code = connectionFault(thrown);
  return code !== undefined && !UNSENT.has(code);
}
