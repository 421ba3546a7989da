import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonValue } from '../values/json-value.js';
import type { CatalogueSource } from './source.js';

export type { CatalogueSource } from './source.js';

/** All sources, read once, on the first import. Each file in `sources/` is one source, so adding one changes no other file. */
export const catalogue: readonly CatalogueSource[] = await readSources();

async function readSources(): Promise<CatalogueSource[]> {
  const files = readdirSync(fileURLToPath(new URL('./sources/', import.meta.url)));
  const names = files.flatMap((file) => /^([a-z0-9-]+)\.[jt]s$/.exec(file)?.[1] ?? []).sort();
  const sources: CatalogueSource[] = [];
  // One at a time: Jest's module loader cannot import the same file twice concurrently.
  for (const name of names) {
    const { default: source }: { default: CatalogueSource } = await import(`./sources/${name}.js`);
    sources.push(source);
  }
  return sources;
}

const byName = new Map(catalogue.map((source) => [source.name, source]));

export const findSource = (name: string): CatalogueSource | undefined => byName.get(name);

/** Returns the payload that ends the problem of a source's sample, or null if the source sends none. */
export const resolvingSample = ({ sample, recovery }: CatalogueSource): JsonValue =>
  recovery === undefined ? null : mergePatch(sample, recovery);

/** Returns a value changed by a JSON Merge Patch (RFC 7396): members that are null are removed, and lists are replaced whole. */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name) ?? null, change));
  }
  return Object.fromEntries(members);
}
