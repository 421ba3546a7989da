import { hash } from 'node:crypto';

/**
 * Returns the id of a series as a UUID: the first 16 bytes of SHA-256 over the integration's id and the key. Every worker finds the same
 * id without a query.
 */
export function seriesId(webhookId: string, dedupKey: string): string {
  const hex = hash('sha256', `${webhookId.toLowerCase()}\n${dedupKey}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
