import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Source } from './source.js';

export type { Source } from './source.js';

/** Every file of `sources/` is one source, so that adding one touches nothing else. Read once, when first imported. */
export const catalogue: readonly Source[] = await readSources();

async function readSources(): Promise<Source[]> {
  const files = readdirSync(fileURLToPath(new URL('./sources/', import.meta.url)));
  const names = files.flatMap((file) => /^([a-z0-9-]+)\.[jt]s$/.exec(file)?.[1] ?? []).sort();
  const modules = await Promise.all(names.map((name) => import(`./sources/${name}.js`)));
  return modules.map(({ default: source }: { default: Source }) => source);
}

const byName = new Map(catalogue.map((source) => [source.name, source]));

export const findSource = (name: string): Source | undefined => byName.get(name);
