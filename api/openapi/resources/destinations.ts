import { AT, ID, WEBHOOK_ID } from './values.js';

/* The destinations and messages of the examples, in the JSON form of the API. */

export const SECRET = 'whsec_bXVzdGVyLWV4YW1wbGUtc2VjcmV0LTMyLWJ5dGVzISE=';
const settings = {
  name: 'On call',
  description: '',
  preset: 'webhook',
  types: ['alert.fired', 'alert.changed', 'alert.resolved'],
  severityAtLeast: 'error',
  body: null,
  mode: 'every',
  settleSeconds: 0,
  ratePerMinute: 600,
  repeatEveryMinutes: 240,
  digestAbove: null,
};
export const destination = {
  id: ID,
  ...settings,
  host: 'hooks.example.com',
  recipients: null,
  headerNames: ['authorization'],
  webhookIds: null,
  filter: 'alert.environment == "production"',
  managedBy: null,
  state: 'active',
  stoppedBecause: null,
  waiting: 0,
  failures: 0,
  failingSince: null,
  trouble: null,
  succeededAt: AT,
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  createdAt: AT,
  updatedAt: AT,
};
export const destinationDocument = {
  ...settings,
  headers: { authorization: null },
  integrations: ['CPU alarms'],
  filter: null,
  paused: false,
  managedBy: 'https://git.example.com/platform/alerts',
};
export const savedDestination = {
  outcome: 'changed',
  id: ID,
  changes: [{ path: 'severityAtLeast', before: 'warning', after: 'error' }],
  secret: null,
  missing: [],
};
export const rehearsedMessage = {
  alertId: ID,
  alertTitle: 'High CPU on web-1',
  webhookId: WEBHOOK_ID,
  at: AT,
  type: 'alert.fired',
  state: 'sent',
  reason: null,
  detail: null,
  body: '{"text":"High CPU on web-1"}',
  bytes: 28,
  isCut: false,
};
export const rehearsal = {
  from: AT,
  until: AT,
  isComplete: true,
  notConsidered: ['mutes', 'repeats'],
  alerts: 412,
  sent: 31,
  unsent: [
    { state: 'filtered', reason: 'filter', clause: 'alert.environment == "production"', count: 398 },
    { state: 'superseded', reason: 'not_told', clause: null, count: 377 },
  ],
  days: [{ day: '2026-03-01', sent: 31, unsent: 775 }],
  busiestMinute: { at: AT, sent: 12 },
  rate: { perMinute: 600, longestWaitSeconds: 1, delayed: 0 },
  largestBytes: 28,
  cut: 0,
  bodyFaults: [],
  filterFaults: [],
  messages: [rehearsedMessage],
};
export const message = {
  id: 'msg_1042_0a1b2c3d4e5f',
  sequence: 1042,
  destinationId: ID,
  alertId: ID,
  alertTitle: 'High CPU on web-1',
  webhookId: WEBHOOK_ID,
  jobId: null,
  jobType: null,
  change: 'fired',
  createdAt: AT,
  state: 'delivered',
  reason: null,
  detail: null,
  digestedInto: null,
  attempts: 1,
  dueAt: null,
  endedAt: AT,
  replayedAt: null,
};
export const givenUp = {
  state: 'dead',
  reason: 'http_503',
  class: 'status',
  count: 12,
  firstAt: AT,
  lastAt: AT,
};
export const jobMessage = {
  ...message,
  alertId: null,
  alertTitle: null,
  webhookId: null,
  jobId: ID,
  jobType: 'identity-import',
  change: 'finished',
};
