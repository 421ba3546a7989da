import { readdirSync } from 'node:fs';
import type { Story } from './story.js';

/** Returns the stories of all templates that have some, by template. Each file in `stories/` has those of one. */
export async function readStories(): Promise<Map<string, readonly Story[]>> {
  const stories = new Map<string, readonly Story[]>();
  for (const file of readdirSync(new URL('./stories/', import.meta.url)).sort()) {
    const { default: list }: { default: readonly Story[] } = await import(`./stories/${file}`);
    stories.set(file.replace(/\.ts$/, ''), list);
  }
  return stories;
}
