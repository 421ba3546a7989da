import { AT, ID, WEBHOOK_ID } from './values.js';

/* The destinations and messages of the examples, in the JSON form of the API. */

export const SECRET = 'whsec_bXVzdGVyLWV4YW1wbGUtc2VjcmV0LTMyLWJ5dGVzISE=';
export const destination = {
  id: ID,
  name: 'On call',
  description: '',
  preset: 'webhook',
  host: 'hooks.example.com',
  webhookIds: null,
  types: ['alert.fired', 'alert.changed', 'alert.resolved'],
  severityAtLeast: 'error',
  filter: 'alert.environment == "production"',
  body: null,
  mode: 'every',
  settleSeconds: 0,
  ratePerMinute: 600,
  state: 'active',
  stoppedBecause: null,
  waiting: 0,
  failures: 0,
  failingSince: null,
  succeededAt: AT,
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  createdAt: AT,
  updatedAt: AT,
};
export const message = {
  id: 'msg_1042_0a1b2c3d4e5f',
  sequence: 1042,
  destinationId: ID,
  alertId: ID,
  alertTitle: 'High CPU on web-1',
  webhookId: WEBHOOK_ID,
  change: 'fired',
  createdAt: AT,
  state: 'delivered',
  reason: null,
  detail: null,
  attempts: 1,
  dueAt: null,
  endedAt: AT,
};
