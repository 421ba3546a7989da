import { type CompiledMapping, compileStored } from './compile.js';

/**
 * Compiled mappings by revision. A revision never changes, so nothing here grows stale; the one that was not asked for
 * the longest makes room.
 */
export class MappingCache {
  readonly #limit: number;
  readonly #kept = new Map<string, CompiledMapping>();

  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  get(revision: string): CompiledMapping | undefined {
    const mapping = this.#kept.get(revision);
    if (!mapping) return undefined;
    this.#kept.delete(revision);
    this.#kept.set(revision, mapping);
    return mapping;
  }

  /**
   * Compiles a stored mapping and keeps it. Null when it does not compile, which a mapping does that was saved: its
   * events then have none.
   */
  add(revision: string, stored: unknown): CompiledMapping | null {
    const compiled = compileStored(stored);
    if ('faults' in compiled) return null;
    this.#kept.set(revision, compiled.mapping);
    if (this.#kept.size > this.#limit) this.#kept.delete(this.#kept.keys().next().value as string);
    return compiled.mapping;
  }
}
