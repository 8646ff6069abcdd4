import { ToolError } from "@loopwright/core/plugin";
import { type Dispatcher, getGlobalDispatcher } from "undici";

/** `fetch` gives up a reply with more, and leaves its body to nobody. */
const maxEncodings = 5;

/** What `fetch` takes as `dispatcher`; what it hands over has the methods of its own version. */
interface Dispatch {
  dispatch(options: Dispatcher.DispatchOptions, handler: object): boolean;
}

/**
 * Sends by another dispatcher, by default that of the host, and breaks off a reply that is packed too often before `fetch`
 * sees its head: it would drop the reply, and a connection that ends afterwards would end the host's process.
 */
export function guardedDispatch(inner?: Dispatcher): Dispatch {
  return {
    dispatch: (options, handler) => {
      const sender = inner ?? getGlobalDispatcher();
      return sender.dispatch(options, guarded(handler, String(options.origin)));
    },
  };
}

function guarded(handler: object, origin: string): object {
  return new Proxy(handler, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        if (name === "onHeaders") refusePacked(given[1] as readonly Buffer[], origin);
        return Reflect.apply(value, of, given);
      };
    },
  });
}

function refusePacked(headers: readonly Buffer[], origin: string): void {
  const values = headers.filter(
    (_, index) => index % 2 === 1 && /^content-encoding$/i.test(String(headers[index - 1])),
  );
  const count = values.join(",").split(",").length;
  if (count <= maxEncodings) return;
  const message = `The reply of ${origin} is packed ${count} times over; it is not read.`;
  throw new ToolError("tool-failed", message);
}
