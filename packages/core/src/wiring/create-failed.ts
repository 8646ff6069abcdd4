import { messageOf, PluginError } from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";

/** The error for a `create` that threw. Its words come from outside and may quote a secret, so message, cause and stack are cleaned. */
export function createFailed(what: string, fault: unknown, redactor: Redactor): PluginError {
  const message = redactor.text(messageOf(fault));
  return new PluginError("plugin-create-failed", `${what} could not be made: ${message}`, {
    cause: fault instanceof Error ? cleaned(fault, message, redactor) : message,
  });
}

function cleaned(fault: Error, message: string, redactor: Redactor): Error {
  const copy = new Error(message);
  copy.name = fault.name;
  copy.stack = redactor.text(fault.stack ?? message);
  return copy;
}
