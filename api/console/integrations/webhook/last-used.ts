import type { Webhook } from '../../http/types.ts';

/** When an event last came by any of the integration's URLs, to the minute; null: never. */
export function lastUsedAt({ urls }: Pick<Webhook, 'urls'>): string | null {
  const times = urls.flatMap((url) => url.lastUsedAt ?? []);
  return times.sort().at(-1) ?? null;
}
