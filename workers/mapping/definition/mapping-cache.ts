import { LRUCache } from 'lru-cache';
import type { CompiledMapping, CompileResult } from './compile.js';

/** Cache of compiled mappings by revision. A revision never changes, so no entry becomes stale. */
export class MappingCache {
  readonly #mappings: LRUCache<string, CompiledMapping>;

  constructor(max = 1_000) {
    this.#mappings = new LRUCache({ max });
  }

  get(revision: string): CompiledMapping | undefined {
    return this.#mappings.get(revision);
  }

  /**
   * Caches a stored mapping that was compiled. Returns null if it does not compile. A saved mapping always compiles; if one ever does
   * not, its events have no mapping.
   */
  add(revision: string, compiled: CompileResult): CompiledMapping | null {
    if ('errors' in compiled) return null;
    this.#mappings.set(revision, compiled.mapping);
    return compiled.mapping;
  }
}
