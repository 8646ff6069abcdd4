import type { CallPlace } from "../calls/call-places.ts";
import type { Message } from "../contracts/message.ts";
import type { Capabilities, Price, Provider, ProviderRequest } from "../contracts/provider.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { ModelEntry } from "../program/program.ts";
import { addressed } from "./addressed-messages.ts";
import { type Constraint, constraintFor } from "./constraint.ts";
import { type CallNeed, needOf, NO_NEED } from "./model-cost.ts";
import type { ModelRequest } from "./model-request.ts";
import type { Reservation } from "./reply-room.ts";
import { childScope, type Frame } from "./run-scope.ts";
import { WireRequest } from "./wire-request.ts";

/** One model that is asked, over all its attempts. */
export interface ModelCall {
  readonly frame: Frame;
  /** The key of its first attempt. */
  readonly key: string;
  readonly entry: ModelEntry;
  readonly provider: Provider;
  readonly capabilities: Capabilities;
  readonly request: ModelRequest;
  readonly price: Price | undefined;
  readonly place: CallPlace;
}

/** One attempt before it goes out: what is sent, and what was taken off the limits for it. */
export interface Attempt {
  readonly scope: Scope;
  readonly constraint: Constraint | undefined;
  readonly wire: ProviderRequest;
  /** True where the limits leave less room for the reply than was wanted. */
  readonly isCapped: boolean;
  readonly reserved: Reservation;
}

/** Opens a call of one model. */
export function openModelCall(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
): ModelCall {
  const { instances, calls, clock } = frame.run.linked;
  const provider = instances.provider(entry);
  const capabilities = provider.capabilities(entry.model);
  const price = entry.price ?? capabilities.price;
  const place = calls.of(entry, provider, clock);
  return { frame, key, entry, provider, capabilities, request, price, place };
}

/** Why a model can't be asked: it is offered tools and has none; told before a call is spent on it. */
export function toolsLacking(call: ModelCall): ProviderError | undefined {
  const { frame, entry, capabilities, request } = call;
  if (request.tools.length === 0 || capabilities.tools) return undefined;
  return new ProviderError(
    "provider-rejected",
    `${entry.id} can't call tools, and stage \`${frame.scope.stage}\` offers it ${request.tools.length}: give the stage another \`model\`, or \`tools: none\``,
    { details: { model: entry.id, stage: frame.scope.stage } },
  );
}

/** Makes the first attempt ready; throws the LimitError of a limit that can't hold it. */
export function firstAttempt(call: ModelCall): Attempt {
  const { ledger, purpose } = call.frame;
  const asking = toAsking(call, call.key);
  return reserved(asking, ledger.reserveModelCall(asking.need, purpose));
}

/** Makes a further attempt ready; undefined where a limit can't hold it. */
export function nextAttempt(call: ModelCall, key: string): Attempt | undefined {
  const { ledger, purpose } = call.frame;
  const asking = toAsking(call, key);
  const taken = ledger.reserveRetry(asking.need, purpose);
  return taken === undefined ? undefined : reserved(asking, taken);
}

interface Asking extends Pick<Attempt, "scope" | "constraint"> {
  readonly wire: WireRequest;
  readonly need: CallNeed;
}

function toAsking(call: ModelCall, key: string): Asking {
  const { frame, entry, provider, request, price } = call;
  const scope = childScope(frame, key);
  const constraint = constraintFor(frame, scope, entry, provider, request);
  const wire = toWire(call, key, constraint);
  return {
    scope,
    constraint,
    wire,
    need: frame.ledger.isMetered ? needOf(wire, price) : NO_NEED,
  };
}

function reserved({ scope, constraint, wire }: Asking, taken: Reservation): Attempt {
  const { maxTokens } = taken;
  // What the limits leave for the reply.
  const isCapped = maxTokens !== undefined && maxTokens !== wire.sampling.maxTokens;
  const bounded = isCapped ? wire.withMaxTokens(maxTokens) : wire;
  return { scope, constraint, wire: bounded, isCapped, reserved: taken };
}

function toWire(
  { frame, entry, request }: ModelCall,
  key: string,
  constraint: Constraint | undefined,
): WireRequest {
  const { redactor } = frame.run.linked;
  frame.lastClean = redactor.list(request.messages, frame.lastClean);
  const { output, sampling } = request;
  const asked =
    output === undefined || constraint === undefined ? undefined : { output, constraint };
  const said = { ...entry.sampling, ...sampling };
  const least = asked?.constraint.maxTokens;
  return new WireRequest(
    {
      model: entry.model,
      messages: addressed(frame.lastClean.items as readonly Message[], entry),
      tools: request.tools,
      ...(asked === undefined ? {} : { output: onLayer(asked.output.name, asked.constraint) }),
      sampling: least === undefined ? said : { ...said, maxTokens: least },
      key,
      runId: frame.run.id,
      stage: frame.scope.stage,
      voice: request.voice,
      inputs: frame.run.inputs,
    },
    asked?.output,
  );
}

function onLayer(
  name: string,
  { schema, layer }: Constraint,
): NonNullable<ProviderRequest["output"]> {
  return { name, schema, layer };
}
