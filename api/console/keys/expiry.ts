/** The lifetimes of a new key, in days; empty for no expiry. */
export const LIFETIMES: readonly { value: string; label: string }[] = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns the expiry of a key with this lifetime in days; undefined if it does not expire. `now` is in ms since 1970. */
export const expiresAt = (days: string, now: number): string | undefined =>
  days === '' ? undefined : new Date(now + Number(days) * DAY_MS).toISOString();

/** Returns whether a key is valid at that time, in ms since 1970, or why not. */
export function keyState(
  { expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null },
  now: number,
): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
