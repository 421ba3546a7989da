import { identityImport } from '../../../workers/queues/contracts/identity-import.js';
import { AT, ID, WEBHOOK_ID } from './values.js';

/* The keys and the health of the examples, in the JSON form of the API. */

export const apiKey = {
  id: ID,
  name: 'metrics reader',
  scopes: ['developer_records:read'],
  createdAt: AT,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
export const health = {
  queues: [{ queue: identityImport.queues[0], waiting: 0, active: 1, delayed: 0, oldestAt: null }],
  eventsPending: 0,
  minutes: [{ minute: AT, accepted: 120, stored: 120, filtered: 0, failed: 0, alerts: 120 }],
  workers: [{ id: 'host-1', lastSeenAt: AT, held: null }],
  clocks: { redisAheadMs: 1, databaseAheadMs: -2, wrong: [] },
  upkeep: { lastTurnAt: AT, refused: [] },
  firing: {
    hasSeries: true,
    alerts: 3,
    neverResolved: 1,
    webhooks: [
      {
        webhookId: WEBHOOK_ID,
        alerts: 3,
        neverResolved: 1,
        severities: [
          { severity: 'critical', alerts: 2 },
          { severity: 'warning', alerts: 1 },
        ],
      },
    ],
  },
};
