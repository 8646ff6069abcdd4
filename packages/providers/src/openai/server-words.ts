/** What an endpoint says of a fault; a router sends what the endpoint behind it said under `metadata.raw`. */
interface ServerError {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly param?: unknown;
  readonly metadata?: { readonly raw?: unknown } | null;
}

/** The server's own words, with those of the endpoint behind it. */
export function wordsOf(error: unknown): string {
  if (typeof error === "string") return error.trim();
  if (!isError(error)) return "";
  const { message } = error;
  const own = typeof message === "string" ? message.trim() : JSON.stringify(error);
  const inner = typeof message === "string" ? wordsOf(innerOf(error)) : "";
  if (inner === "" || own.includes(inner)) return own;
  return own === "" ? inner : `${own}: ${inner}`;
}

/** The code that the server gave, in words; that of the endpoint behind it counts more. */
export function codeIn(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  return codeIn(innerOf(error)) ?? (typeof error.code === "string" ? error.code : undefined);
}

/** The part of the request that the server names. */
export function parameterIn(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  return parameterIn(innerOf(error)) ?? (typeof error.param === "string" ? error.param : undefined);
}

/** What the endpoint behind a router said: text, or a body, which may be written as text. */
function innerOf({ metadata }: ServerError): unknown {
  const raw = isError(metadata) ? (metadata as { readonly raw?: unknown }).raw : undefined;
  const body = typeof raw === "string" ? parsed(raw) : raw;
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const inner = isError(first) ? ((first as { readonly error?: unknown }).error ?? first) : first;
  // A router behind a router is not looked into.
  return isError(inner) ? { ...inner, metadata: undefined } : inner;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isError(value: unknown): value is ServerError {
  return typeof value === "object" && value !== null;
}
