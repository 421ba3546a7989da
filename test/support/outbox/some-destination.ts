import { randomUUID } from 'node:crypto';
import type { insertDestination } from '../../../db/outbox/destinations.js';

/** A row of a destination, for tests to which most of it does not matter. */
export const SOME_DESTINATION: Omit<Parameters<typeof insertDestination>[1], 'id' | 'name'> = {
  author: { id: randomUUID(), name: 'a key' },
  description: '',
  preset: 'webhook',
  url: Buffer.from('sealed'),
  host: 'hooks.example.com',
  secret: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
  headers: null,
  webhookIds: null,
  filter: null,
  body: null,
  types: ['alert.fired'],
  severityAtLeast: null,
  mode: 'every',
  settleSeconds: 0,
  ratePerMinute: null,
  repeatEveryMinutes: null,
  digestAbove: null,
  pausedAt: null,
  managedBy: null,
};
