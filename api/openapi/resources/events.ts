import { AT, EVENT_ID, ID, LATER, WEBHOOK_ID } from './values.js';

/* The events and alerts of the examples, in the JSON form of the API. */

export const request = {
  method: 'POST',
  contentType: 'application/json',
  query: { env: 'prod' },
  headers: { 'user-agent': 'curl/8.5.0', 'content-type': 'application/json' },
};
export const event = {
  id: EVENT_ID,
  webhookId: WEBHOOK_ID,
  receivedAt: AT,
  state: 'normalized',
  revision: 1,
  bytes: 83,
  alertIds: [ID],
  faults: [],
  filter: null,
};
export const snsConfirmation = {
  topicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms',
  subscriptionArn: 'arn:aws:sns:eu-central-1:111122223333:alarms:5f1f2a34-0000-4000-8000-1234567890ab',
  host: 'sns.eu-central-1.amazonaws.com',
  confirmedAt: AT,
  confirmedBy: { id: ID, name: 'console' },
};
export const alert = {
  id: ID,
  eventId: EVENT_ID,
  webhookId: WEBHOOK_ID,
  revision: 1,
  state: 'incomplete',
  receivedAt: AT,
  status: 'firing',
  dedupKey: 'web-1/cpu',
  startedAt: AT,
  lastEventAt: LATER,
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
  peakSeverity: 'critical',
  peakAt: AT,
  eventCount: 2,
  previousAlertId: null,
  title: 'High CPU',
  severity: 'critical',
  description: 'CPU above 90%',
  source: null,
  service: null,
  environment: null,
  team: null,
  ownerEmail: 'ada@example.com',
  custom: { zone: 'eu-1' },
  faults: [
    {
      code: 'missing',
      field: 'source',
      message: 'source: webhook.metadata.service is missing or blank in the payload',
      path: 'webhook.metadata.service',
    },
  ],
};
export const alertEvent = {
  id: ID,
  eventId: EVENT_ID,
  item: 0,
  origin: 'event',
  by: null,
  jobId: null,
  resolution: null,
  receivedAt: AT,
  status: 'firing',
  outcome: 'updated',
  revision: 1,
  eventCount: 1,
  changed: [{ field: 'severity', before: 'warning', after: 'critical' }],
};

export const alertFacets = {
  severity: {
    values: [
      { value: 'critical', alerts: 12 },
      { value: 'warning', alerts: 3 },
    ],
    hasMore: false,
    countedFrom: null,
  },
  team: { values: [{ value: 'platform', alerts: 15 }], hasMore: false, countedFrom: null },
};

export const alertHistogram = {
  from: '2026-01-31T11:00:00.000Z',
  to: '2026-01-31T13:00:00.000Z',
  bucketSeconds: 3_600,
  alerts: 15,
  countedFrom: null,
  severities: [
    { severity: 'critical', alerts: 12 },
    { severity: 'warning', alerts: 3 },
  ],
  buckets: [
    { from: '2026-01-31T11:00:00.000Z', alerts: 5, counts: [4, 1] },
    { from: AT, alerts: 10, counts: [8, 2] },
  ],
};
