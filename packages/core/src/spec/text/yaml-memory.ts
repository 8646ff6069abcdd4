import type { SpecNode } from "./spec-node.ts";

/** A block of a YAML text that was read without a finding, and what became of it. */
export interface KnownBlock {
  readonly node: SpecNode;
  readonly row: number;
  /** The path of the list that its items belong to, and the index of the first; an entry of the outermost map has neither. */
  readonly path: string;
  readonly firstIndex: number;
  /** How many values it holds. */
  readonly values: number;
}

const maxFiles = 16;

/** What the last reading of some files found, block by block, so that only what changed since is read again. */
export class YamlMemory {
  readonly #files = new Map<string, ReadonlyMap<string, KnownBlock>>();

  /** The blocks of a file by their texts. */
  of(file: string): ReadonlyMap<string, KnownBlock> {
    return this.#files.get(file) ?? new Map<string, KnownBlock>();
  }

  /** Keeps the blocks of a file instead of those before; of many files the latest are kept. */
  keep(file: string, blocks: ReadonlyMap<string, KnownBlock>): void {
    this.#files.delete(file);
    this.#files.set(file, blocks);
    const [oldest] = this.#files.keys();
    if (this.#files.size > maxFiles && oldest !== undefined) this.#files.delete(oldest);
  }
}
