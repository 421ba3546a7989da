import type { Webhook } from '../../http/types.ts';

/** Returns when any of the integration's URLs last received an event, to the minute. Returns null if none has. */
export function lastUsedAt({ urls }: Pick<Webhook, 'urls'>): string | null {
  const times = urls.flatMap((url) => url.lastUsedAt ?? []);
  return times.sort().at(-1) ?? null;
}
