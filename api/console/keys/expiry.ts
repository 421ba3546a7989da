/** How long a new key may live; empty: until it is revoked. */
export const LIFETIMES: readonly { value: string; label: string }[] = [
  { value: '', label: 'never, until it is revoked' },
  { value: '1', label: 'in a day' },
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When a key that is made now with this lifetime in days expires; undefined for one that does not. */
export const expiresAt = (days: string, now: number): string | undefined =>
  days === '' ? undefined : new Date(now + Number(days) * DAY_MS).toISOString();

/** Whether a key still opens anything. */
export function keyState(
  { expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null },
  now: number,
): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
