import { identityImport } from '../../../workers/queues/contracts/identity-import.js';
import { AT, ID, WEBHOOK_ID } from './values.js';

/* The keys and the health of the examples, in the JSON form of the API. */

export const apiKey = {
  id: ID,
  name: 'metrics reader',
  prefix: 'mstr_Ab12Cd',
  scopes: ['developer_records:read'],
  createdAt: AT,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
export const role = {
  name: 'on-call',
  scopes: ['alerts:read', 'alerts:write'],
  isBuiltIn: false,
  updatedAt: AT,
};
export const roleGrant = {
  id: ID,
  subject: { kind: 'key', id: ID },
  role: 'on-call',
  createdAt: AT,
  createdBy: { id: ID, name: 'console' },
};
export const uploadLink = {
  id: ID,
  integrationId: 7,
  name: 'GitHub accounts of the platform team',
  state: 'open',
  uploadsAllowed: 5,
  uploadsUsed: 1,
  checksUsed: 2,
  apiKey: { id: ID, name: 'console' },
  createdAt: AT,
  expiresAt: '2026-02-28T12:00:00.000Z',
  lastUsedAt: AT,
  revokedAt: null,
};
export const currentUploadLink = {
  name: uploadLink.name,
  integrationId: 7,
  accountSystem: 'GitHub',
  state: 'open',
  uploadsLeft: 4,
  checksLeft: 98,
  expiresAt: uploadLink.expiresAt,
};
export const auditEntry = {
  id: ID,
  at: AT,
  actor: { kind: 'key', id: ID, name: 'console' },
  action: 'updateWebhook',
  object: { kind: 'integration', id: WEBHOOK_ID, name: 'CPU alarms' },
  before: { 'signature.mode': 'observe', 'signature.secret': '***' },
  after: { 'signature.mode': 'enforce', 'signature.secret': '***' },
  requestId: 'deploy-42',
  address: '192.0.2.7',
};
export const auditFacets = {
  entries: 12,
  countedFrom: null,
  actorKind: [{ value: 'key', entries: 12 }],
  action: [{ value: 'updateWebhook', entries: 12 }],
  objectKind: [{ value: 'integration', entries: 12 }],
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
