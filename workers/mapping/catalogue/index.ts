import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CatalogueSource } from './source.js';

export type { CatalogueSource } from './source.js';

/** Every file of `sources/` is one source, so that adding one touches nothing else. Read once, when first imported. */
export const catalogue: readonly CatalogueSource[] = await readSources();

async function readSources(): Promise<CatalogueSource[]> {
  const files = readdirSync(fileURLToPath(new URL('./sources/', import.meta.url)));
  const names = files.flatMap((file) => /^([a-z0-9-]+)\.[jt]s$/.exec(file)?.[1] ?? []).sort();
  const sources: CatalogueSource[] = [];
  // In turn: Jest's module loader does not take two imports of one file at the same time.
  for (const name of names) {
    const { default: source }: { default: CatalogueSource } = await import(`./sources/${name}.js`);
    sources.push(source);
  }
  return sources;
}

const byName = new Map(catalogue.map((source) => [source.name, source]));

export const findSource = (name: string): CatalogueSource | undefined => byName.get(name);
