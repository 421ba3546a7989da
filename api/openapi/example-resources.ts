import { identityImport } from '../../workers/queues/contracts/identity-import.js';

/*
 * The resources that the examples of the OpenAPI document show, in the JSON form of the API.
 */

export const ID = '019a2b5c-4f1e-7c3a-9d2b-6e8f0a1b2c3d';
export const EVENT_ID = '019a2b5c-5a10-7b44-8c1d-2f3e4d5c6b7a';
const WEBHOOK_ID = '019a2b5b-0c11-7d55-9e2f-1a2b3c4d5e6f';
const AT = '2026-01-31T12:00:00.000Z';
const LATER = '2026-01-31T12:00:02.000Z';

export const success = (data: object, more: object = {}) => ({ status: 'success', data, ...more });
export const page = (row: object) => success([row], { page: { pageSize: 50, nextCursor: null } });
export const accepted = {
  status: 'success',
  message: 'Accepted. The job reports its progress and result.',
  jobId: ID,
};

export const identity = {
  email: 'ada@example.com',
  integrationId: 7,
  identity: 'ada-l',
  createdAt: AT,
  updatedAt: AT,
};
export const identityKey = { integrationId: 7, identity: 'ada-l' };
export const coverage = {
  integrationId: 7,
  accounts: 1204,
  owners: 1180,
  removed: 31,
  lastUpload: { acceptedAt: AT, jobId: ID, apiKey: { id: ID, name: 'nightly sync' } },
};
export const historyEntry = {
  changedAt: '2026-01-31T12:00:00.123456Z',
  outcome: 'updated',
  before: 'grace@example.com',
  after: 'ada@example.com',
  jobId: ID,
  apiKey: { id: ID, name: 'metrics reader' },
};
export const columns = { email: 'Email Address', integrationId: 'Integration ID', identity: 'Username' };
export const job = {
  id: ID,
  type: 'identity-import',
  state: 'completed',
  dryRun: false,
  progress: { rowsRead: 1, rowsTotal: 1, bytesRead: 83, bytesTotal: 83, percent: 100 },
  columns,
  counts: { total: 1, created: 1, updated: 0, unchanged: 0, superseded: 0, rejected: 0 },
  warnings: [],
  links: { self: `/v2/jobs/${ID}` },
  createdAt: AT,
  startedAt: AT,
  finishedAt: LATER,
  expiresAt: null,
  attempts: 1,
};
const REVERT = { type: 'identity-revert', revertOf: ID, columns: undefined };
export const revert = { ...job, ...REVERT, counts: { total: 3, restored: 2, skipped: 1 } };
export const worklistJob = {
  ...job,
  type: 'identity-worklist',
  columns: undefined,
  counts: { total: 1, owned: 0, withCandidates: 1, withoutCandidates: 0, repeated: 0 },
  links: { self: `/v2/jobs/${ID}`, file: `/v2/jobs/${ID}/file` },
  expiresAt: '2026-02-07T12:00:02.000Z',
};
export const upload = (message: string, more: object) => ({
  status: 'success',
  message,
  jobId: ID,
  ...more,
  warnings: [],
  links: job.links,
});
export const jobDone = { status: 'success', message: 'The job has completed.', jobId: ID, data: job };
export const jobGoesOn = {
  ...accepted,
  data: {
    ...job,
    state: 'queued',
    columns: undefined,
    counts: null,
    startedAt: null,
    finishedAt: null,
    attempts: 0,
  },
};
export const revertGoesOn = { ...jobGoesOn.data, ...REVERT };
export const apiKey = {
  id: ID,
  name: 'metrics reader',
  scopes: ['developer_records:read'],
  createdAt: AT,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
const url = 'https://muster.example.com/api/v1/webhook/0123456789ABCDEFGHIJKLMNOPQRSTUV';
export const webhook = {
  id: WEBHOOK_ID,
  name: 'CPU alarms',
  description: '',
  template: 'generic-alert',
  mappingRevision: 1,
  url,
  urls: [{ url, createdAt: AT, expiresAt: null, lastUsedAt: null }],
  signature: null,
  rateLimit: null,
  challenge: null,
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  createdAt: AT,
  updatedAt: AT,
};
export const mapping = {
  fields: {
    title: { template: '{{webhook.alert.name}}' },
    severity: { template: '{{webhook.alert.severity}}', default: 'warning' },
    description: { template: '{{webhook.alert.message}}' },
    source: { template: '{{webhook.metadata.service}}' },
  },
};
export const revision = { revision: 1, current: true, createdAt: AT, savedBy: { id: ID, name: 'console' } };
export const savedMapping = success({ ...revision, mapping });
/** A mapping that was saved just now. */
export const checkedMapping = success({ ...revision, mapping, warnings: [] });
export const payload = { alert: { name: 'High CPU', severity: 'critical', message: 'CPU above 90%' } };
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
  eventCount: 2,
  previousAlertId: null,
  title: 'High CPU',
  severity: 'critical',
  description: 'CPU above 90%',
  source: null,
  service: null,
  environment: null,
  team: null,
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
  receivedAt: AT,
  status: 'firing',
  outcome: 'opened',
  revision: 1,
  eventCount: 1,
  changed: ['title', 'severity', 'description', 'custom.zone'],
};
export const fields = {
  title: {
    value: 'High CPU',
    result: 'resolved',
    paths: ['webhook.alert.name'],
    missing: [],
    warnings: [],
  },
};
export const preview = {
  revision: null,
  alerts: [{ eventId: null, item: 0, state: 'complete', fields, custom: {}, series: null, faults: [] }],
  alertCount: 1,
  events: [
    { eventId: null, eventState: 'normalized', alertCount: 1, faults: [], warnings: [], filter: null },
  ],
  fields: null,
  comparison: null,
  statistics: null,
  series: null,
  warnings: [],
  truncated: false,
};
export const health = {
  queues: [{ queue: identityImport.queues[0], waiting: 0, active: 1, delayed: 0, oldestAt: null }],
  eventsPending: 0,
  minutes: [{ minute: AT, accepted: 120, stored: 120, filtered: 0, failed: 0, alerts: 120 }],
  workers: [{ id: 'host-1', lastSeenAt: AT }],
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
export const signaturePreset = {
  name: 'github',
  title: 'GitHub',
  documentation: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  family: 'hmac',
  secret: { title: 'Secret', location: 'Settings → Webhooks → your webhook → Secret' },
  parameters: [],
  defaults: {
    header: 'x-hub-signature-256',
    prefix: 'sha256=',
    hash: 'sha256',
    encoding: 'hex',
    secretEncoding: 'text',
    signedContent: '{body}',
    timestampUnit: 'seconds',
    toleranceSeconds: 300,
  },
  covers: { body: true, headers: [] },
};
export const template = {
  name: 'generic-alert',
  title: 'Generic alert',
  description: '',
  origin: 'catalogue',
  documentation: null,
  signature: null,
  sample: payload,
  resolvingSample: null,
  mapping,
  revision: null,
  savedBy: null,
};
export const savedTemplate = {
  ...template,
  name: 'checkout',
  title: 'Checkout alarms',
  origin: 'saved',
  revision: 1,
  savedBy: { id: ID, name: 'console' },
};
export const recognition = {
  recognized: 'generic-alert',
  candidates: [
    {
      name: 'generic-alert',
      title: 'Generic alert',
      origin: 'catalogue',
      score: 0.97,
      matchedPaths: 7,
      requiredPaths: 7,
      fillRate: 0.875,
    },
  ],
  alerts: preview.alerts,
};
