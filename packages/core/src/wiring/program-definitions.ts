import { withParts } from "../compile/derived-program.ts";
import type { Program } from "../program/program.ts";
import type { Inject } from "../contracts/token.ts";
import type { Asker } from "./services.ts";

/** A definition that core makes instances of. */
export interface Makeable {
  readonly kind: string;
  readonly id: string;
  readonly inject: Inject;
  readonly create?: (options: never, services: never) => unknown;
}

/** What tells a definition from every other. */
export function keyOf(definition: Makeable): string {
  return `${definition.kind} ${definition.id}`;
}

/** Every definition that a program names, by kind and id; those of its agents are theirs. */
export function definitionsOf(program: Program): ReadonlyMap<string, Makeable> {
  const all: Makeable[] = [
    ...program.models.map((entry) => entry.definition),
    ...[...program.tools.values()].map((entry) => entry.definition),
    ...[...program.memories.values()].map((entry) => entry.definition),
    ...program.checks.map((entry) => entry.definition),
    ...program.sinks.map((entry) => entry.definition),
    ...[...program.stages.values()].map((entry) => entry.definition),
  ];
  return new Map(all.map((definition) => [keyOf(definition), definition]));
}

/** A program, and those of its agents at any depth. */
export function withAgents(program: Program): readonly Program[] {
  return [program, ...[...(program.agents?.values() ?? [])].flatMap(withAgents)];
}

/** A program of which only the memories are made: it names no other plugin. */
export function withMemoriesOnly(program: Program): Program {
  return withParts(program, {
    models: [],
    tools: new Map(),
    checks: [],
    sinks: [],
    stages: new Map(),
    agents: new Map(),
  });
}

/** A definition as one that asks for services. */
export function askerOf(definition: Makeable): Asker {
  return { name: `${definition.kind} \`${definition.id}\``, inject: definition.inject };
}
