const ALLOWED = ["accept", "authorization", "content-type", "user-agent"];

/**
 * Wraps `fetch` so that only the headers of the protocol and the spec's own leave.
 *
 * The client library adds facts about the machine and the headers of `OPENAI_CUSTOM_HEADERS`, to any endpoint.
 */
export function plainFetch(send: typeof fetch, own: readonly string[]): typeof fetch {
  const allowed = new Set([...ALLOWED, ...own.map((name) => name.toLowerCase())]);
  return (input, init) => {
    const headers = [...new Headers(init?.headers)].filter(([name]) => allowed.has(name));
    return send(input, { ...init, headers });
  };
}
