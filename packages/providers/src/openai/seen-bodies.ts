/** Enough of a body to show, and to take a key out of it before it is cut. */
const MAX_SEEN_CHARACTERS = 2_000;

/** Remembers how the bodies begin that came where a stream was asked for and that say that they are none. */
export class SeenBodies {
  readonly #heads = new WeakMap<Response, () => string>();

  /** A `fetch` whose replies to chats are remembered; a stream of events passes as it is, and so does a refusal. */
  watching(send: typeof fetch): typeof fetch {
    return async (...request) => {
      const response = await send(...request);
      const type = response.headers.get("content-type") ?? "";
      const isPlain = !response.ok || type.includes("event-stream") || !isChat(request[0]);
      return isPlain ? response : this.#watched(response);
    };
  }

  /** How the body of a response begins, as far as it was read; undefined for a stream of events. */
  headOf(response: Response): string | undefined {
    return this.#heads.get(response)?.();
  }

  #watched(response: Response): Response {
    const decoder = new TextDecoder();
    let head = "";
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        if (head.length < MAX_SEEN_CHARACTERS)
          head += decoder.decode(piece.subarray(0, MAX_SEEN_CHARACTERS), { stream: true });
        controller.enqueue(piece);
      },
    });
    // The library takes a response without a body for a fault of its own.
    const body = response.body?.pipeThrough(watch) ?? "";
    const same = new Response(body, { headers: response.headers });
    this.#heads.set(same, () => head.slice(0, MAX_SEEN_CHARACTERS));
    return same;
  }
}

function isChat(address: Parameters<typeof fetch>[0]): boolean {
  const url = address instanceof Request ? address.url : String(address);
  return url.split("?")[0]?.endsWith("/chat/completions") === true;
}
