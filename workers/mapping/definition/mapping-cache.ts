import { type CompiledMapping, compileStored } from './compile.js';

/** Least recently used cache of compiled mappings by revision. A revision never changes, so no entry becomes stale. */
export class MappingCache {
  readonly #limit: number;
  /** In the order of use, the least recently used first. */
  readonly #mappings = new Map<string, CompiledMapping>();

  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  get(revision: string): CompiledMapping | undefined {
    const mapping = this.#mappings.get(revision);
    if (!mapping) return undefined;
    this.#mappings.delete(revision);
    this.#mappings.set(revision, mapping);
    return mapping;
  }

  /**
   * Compiles and caches a stored mapping. Returns null if it does not compile. A saved mapping always compiles; if one ever does
   * not, its events have no mapping.
   */
  add(revision: string, stored: unknown): CompiledMapping | null {
    const compiled = compileStored(stored);
    if ('errors' in compiled) return null;
    this.#mappings.set(revision, compiled.mapping);
    if (this.#mappings.size > this.#limit)
      this.#mappings.delete(this.#mappings.keys().next().value as string);
    return compiled.mapping;
  }
}
