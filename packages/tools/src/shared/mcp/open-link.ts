import { type Clock, messageOf, ToolError } from "@loopwright/core/plugin";
import { plainText } from "./kept-lines.ts";
import { Link } from "./link.ts";
import { ProgramTransport } from "./program-transport.ts";
import {
  type AddressSettings,
  isProgram,
  type ServerSettings,
  serverName,
} from "./server-settings.ts";
import type * as SdkModule from "./sdk.ts";
import { watchedFetch } from "./watched-fetch.ts";

/** What connecting needs. */
export interface LinkTools {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

type Sdk = typeof SdkModule;

/** Connects to a server and greets it; throws a ToolError that says what is wrong and what to do. */
export async function openLink(
  settings: ServerSettings,
  { fetch, clock }: LinkTools,
  closing: AbortSignal,
): Promise<Link> {
  const sdk = await import("./sdk.ts");
  closing.throwIfAborted();
  const link = new Link();
  const transport = isProgram(settings)
    ? new ProgramTransport(settings)
    : addressTransport(sdk, settings, fetch, link);
  const client = new sdk.Client({ name: "loopwright", version: "1" }, { capabilities: {} });
  const aborter = new AbortController();
  const abort = (): void => aborter.abort(closing.reason);
  closing.addEventListener("abort", abort, { once: true });
  let isOverdue = false;
  const stopTimer = clock.after(settings.startTimeoutMs, () => {
    isOverdue = true;
    aborter.abort(new Error("too late"));
  });
  try {
    await untilAborted(
      client.connect(transport, { signal: aborter.signal, timeout: 2_147_483_647 }),
      aborter.signal,
    );
    link.open(client, transport);
    return link;
  } catch (fault) {
    const why = isOverdue
      ? `it did not answer within ${settings.startTimeoutMs / 1_000} seconds`
      : reasonOf(sdk, fault, settings);
    // Before it is closed: how it ends then is our doing.
    const words = transport instanceof ProgramTransport ? transport.lastWords : "";
    await transport.close();
    closing.throwIfAborted();
    const told = words.startsWith(";") || words === "" ? words : `; ${words}`;
    throw failed(settings, why + told, !isOverdue && mayPass(sdk, fault, settings));
  } finally {
    stopTimer();
    closing.removeEventListener("abort", abort);
  }
}

function addressTransport(
  { StreamableHTTPClientTransport }: Sdk,
  { url, headers }: AddressSettings,
  fetch: LinkTools["fetch"],
  link: Link,
): InstanceType<Sdk["StreamableHTTPClientTransport"]> {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: watchedFetch(fetch, link),
  });
}

/** Nobody is at the address, or it is overloaded: that may be over soon. */
function mayPass({ SdkHttpError }: Sdk, fault: unknown, settings: ServerSettings): boolean {
  if (isProgram(settings)) return false;
  return fault instanceof SdkHttpError ? fault.status >= 500 : fault instanceof TypeError;
}

function failed(settings: ServerSettings, why: string, retryable: boolean): ToolError {
  const repair = isProgram(settings)
    ? "run the command by hand and look at what it says; `startTimeout` gives it more time"
    : "look at `url` and `headers`, and whether the server runs";
  const message = `the MCP server ${serverName(settings)} can't be used: ${why}. To mend it, ${repair}`;
  return new ToolError("tool-failed", message, { retryable });
}

function reasonOf({ SdkHttpError }: Sdk, fault: unknown, settings: ServerSettings): string {
  if (fault instanceof SdkHttpError) {
    const { status } = fault;
    if (status === 401 || status === 403) return `it refuses the credentials (${status})`;
    return `it answered with the status ${status}`;
  }
  const { code } = (fault ?? {}) as { readonly code?: unknown };
  if (isProgram(settings)) {
    if (code === "ENOENT") return "there is no such command";
    if (code === "EACCES") return "the command may not be run";
    if (code === "CONNECTION_CLOSED") return "it ended before it answered";
  }
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : undefined;
  const inner =
    cause === undefined
      ? ""
      : ` (${messageOf(cause) || String((cause as { code?: unknown }).code)})`;
  return plainText(`${messageOf(fault)}${inner}`).slice(0, 500);
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
