import { Container } from "inversify";
import type { CallPlaces } from "../calls/call-places.ts";
import type { Program } from "../program/program.ts";
import { Clock, Ids, ProjectRoot } from "../contracts/service.ts";
import type { Redactor } from "../events/redactor.ts";
import type { Instances, LinkedProgram, ToolCache } from "../run/linked-program.ts";
import { closeDeadlineMs, closeWithin } from "./close-within.ts";
import { bindDefinition, InstanceMaker, makeInstances } from "./make-instances.ts";
import { requireServices } from "./missing-services.ts";
import { definitionsOf } from "./program-definitions.ts";
import type { ServiceScope } from "./services.ts";
import { agentCache, toolCache } from "./tool-cache.ts";

type NamedSink = Instances["sinks"][number];

/** Makes the configured instances of a program in a scope of its own below the app's; what is missing is told at once. */
export async function linkProgram(
  program: Program,
  scope: ServiceScope,
  redactor: Redactor,
  calls: CallPlaces,
): Promise<LinkedProgram & { close(): Promise<void> }> {
  await requireServices(program, scope);
  const clock = await scope.container.getAsync<Clock>(Clock.symbol);
  const ids = await scope.container.getAsync<{ next(): string }>(Ids.symbol);
  const sinks: NamedSink[] = [];
  const close = (): Promise<void> => closeSinks(sinks, redactor);
  const shared = { clock, nextId: () => ids.next(), redactor, calls };
  const link = async (
    one: Program,
    cache: ToolCache,
    own?: NamedSink[],
  ): Promise<LinkedProgram> => {
    const instances = await makeInstances(one, makerFor(one, scope, redactor), own);
    const agents = new Map<string, LinkedProgram>();
    // A fault of one is told before the next is made.
    for (const [id, agent] of one.agents ?? [])
      agents.set(id, await link(agent, agentCache(cache, id)));
    return { ...shared, program: one, instances, cache, agents };
  };
  try {
    return { ...(await link(program, toolCache(clock), sinks)), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

/** A maker in a scope of the program's own: tools see its workspace as the project. */
function makerFor(program: Program, scope: ServiceScope, redactor: Redactor): InstanceMaker {
  const container = new Container({ parent: scope.joined(program).container });
  container.bind(ProjectRoot.symbol).toConstantValue(program.workspace ?? program.root);
  for (const definition of definitionsOf(program).values()) bindDefinition(container, definition);
  return new InstanceMaker(container, redactor, program.secrets);
}

/** Closes every sink, also after one that can't be closed; one that takes longer than five seconds is left. */
async function closeSinks(sinks: readonly NamedSink[], redactor: Redactor): Promise<void> {
  const closeOne = ({ name, sink }: NamedSink): Promise<void> =>
    closeWithin(closeDeadlineMs, `sink ${name}`, () => sink.close?.(), redactor);
  await Promise.all(sinks.map(closeOne));
}
