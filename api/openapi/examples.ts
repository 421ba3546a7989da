import { identityImport } from '../../workers/queues/contracts/identity-import.js';
import {
  badRequest,
  conflict,
  errorBody,
  forbidden,
  gone,
  internalError,
  notAcceptable,
  notFound,
  RequestError,
  rangeNotSatisfiable,
  requestTimeout,
  tooLarge,
  unauthorized,
  unavailable,
  unprocessable,
  unsupportedMedia,
} from '../http/errors.js';

interface Examples {
  request?: unknown;
  /** By status. */
  responses?: Record<number, unknown>;
}

const ID = '019a2b5c-4f1e-7c3a-9d2b-6e8f0a1b2c3d';
const EVENT_ID = '019a2b5c-5a10-7b44-8c1d-2f3e4d5c6b7a';
const WEBHOOK_ID = '019a2b5b-0c11-7d55-9e2f-1a2b3c4d5e6f';
const AT = '2026-01-31T12:00:00.000Z';
const LATER = '2026-01-31T12:00:02.000Z';

const success = (data: object, more: object = {}) => ({ status: 'success', data, ...more });
const page = (row: object) => success([row], { page: { pageSize: 50, nextCursor: null } });
const accepted = {
  status: 'success',
  message: 'Accepted. Ask for the job to see how it goes.',
  jobId: ID,
};

const identity = {
  email: 'ada@example.com',
  integrationId: 7,
  identity: 'ada-l',
  createdAt: AT,
  updatedAt: AT,
};
const identityKey = { integrationId: 7, identity: 'ada-l' };
const columns = { email: 'Email Address', integrationId: 'Integration ID', identity: 'Username' };
const job = {
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
const upload = (message: string, more: object) => ({
  status: 'success',
  message,
  jobId: ID,
  ...more,
  warnings: [],
  links: job.links,
});
const jobDone = { status: 'success', message: 'The job has ended.', jobId: ID, data: job };
const jobGoesOn = {
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
const apiKey = {
  id: ID,
  name: 'metrics reader',
  scopes: ['developer_records:read'],
  createdAt: AT,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
const url = 'https://muster.example.com/api/v1/webhook/0123456789ABCDEFGHIJKLMNOPQRSTUV';
const webhook = {
  id: WEBHOOK_ID,
  name: 'CPU alarms',
  description: '',
  template: 'generic-alert',
  mappingRevision: 1,
  url,
  urls: [{ url, createdAt: AT, expiresAt: null, lastUsedAt: null }],
  signature: null,
  rateLimit: null,
  createdAt: AT,
  updatedAt: AT,
};
const mapping = {
  fields: {
    title: { template: '{{webhook.alert.name}}' },
    severity: { template: '{{webhook.alert.severity}}', default: 'warning' },
    description: { template: '{{webhook.alert.message}}' },
    source: { template: '{{webhook.metadata.service}}' },
  },
};
const revision = { revision: 1, current: true, createdAt: AT };
const savedMapping = success({ ...revision, mapping });
const payload = { alert: { name: 'High CPU', severity: 'critical', message: 'CPU above 90%' } };
const event = {
  id: EVENT_ID,
  webhookId: WEBHOOK_ID,
  receivedAt: AT,
  state: 'normalized',
  revision: 1,
  bytes: 83,
  alertIds: [ID],
  faults: [],
};
const alert = {
  id: ID,
  eventId: EVENT_ID,
  webhookId: WEBHOOK_ID,
  revision: 1,
  state: 'incomplete',
  receivedAt: AT,
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
      message: 'source: webhook.metadata.service is not there',
      path: 'webhook.metadata.service',
    },
  ],
};
const fields = {
  title: {
    value: 'High CPU',
    result: 'resolved',
    paths: ['webhook.alert.name'],
    missing: [],
    warnings: [],
  },
};
const preview = {
  revision: null,
  alerts: [{ eventId: null, item: 0, state: 'complete', fields, custom: {}, faults: [] }],
  alertCount: 1,
  events: [{ eventId: null, eventState: 'normalized', alertCount: 1, faults: [], warnings: [] }],
  fields: null,
  comparison: null,
  statistics: null,
  truncated: false,
};
const health = {
  queues: [{ queue: identityImport.queues[0], waiting: 0, active: 1, delayed: 0, oldestAt: null }],
  eventsPending: 0,
  minutes: [{ minute: AT, accepted: 120, stored: 120, failed: 0, alerts: 120 }],
  workers: [{ id: 'host-1', lastSeenAt: AT }],
};
const template = {
  name: 'generic-alert',
  title: 'Generic alert',
  documentation: null,
  sample: payload,
  mapping,
};

/** Examples of JSON bodies, by `operationId`. Linters check each against its schema. */
const BY_OPERATION: Record<string, Examples> = {
  updateIdentities: {
    request: [{ email: 'ada@example.com', ...identityKey }],
    responses: {
      200: upload('CSV processed and developer identities updated successfully.', {
        columns,
        counts: job.counts,
      }),
      202: accepted,
    },
  },
  removeIdentities: {
    request: [identityKey],
    responses: {
      200: upload('Developer identities removed.', {
        counts: { total: 1, removed: 1, notFound: 0, superseded: 0 },
      }),
      202: accepted,
    },
  },
  listIdentities: { responses: { 200: page(identity), 202: accepted } },
  exportIdentities: {
    request: { integrationIds: [7], format: 'csv.gz' },
    responses: { 200: jobDone, 202: jobGoesOn },
  },
  listJobs: { responses: { 200: page(job) } },
  getJob: { responses: { 200: success(job) } },
  cancelJob: { responses: { 200: success({ ...job, state: 'canceled' }), 202: success(jobGoesOn.data) } },
  retryJob: { responses: { 200: jobDone, 202: jobGoesOn } },
  createKey: {
    request: { name: 'metrics reader', scopes: ['developer_records:read'] },
    responses: { 201: success({ ...apiKey, key: 'mstr_…' }) },
  },
  listKeys: { responses: { 200: page(apiKey) } },
  getCurrentKey: { responses: { 200: success(apiKey) } },
  createWebhook: {
    request: { name: 'CPU alarms', template: 'generic-alert' },
    responses: { 201: success(webhook) },
  },
  listWebhooks: { responses: { 200: page(webhook) } },
  getWebhook: { responses: { 200: success(webhook) } },
  updateWebhook: {
    request: { rateLimit: { eventsPerMinute: 600 } },
    responses: { 200: success({ ...webhook, rateLimit: { eventsPerMinute: 600, overLimitStatus: 503 } }) },
  },
  rotateWebhook: { request: { graceSeconds: 3600 }, responses: { 200: success(webhook) } },
  listWebhookTemplates: { responses: { 200: success([template]) } },
  saveMapping: { request: mapping, responses: { 200: savedMapping, 201: savedMapping } },
  getMapping: { responses: { 200: savedMapping } },
  listMappingRevisions: { responses: { 200: page(revision) } },
  getMappingRevision: { responses: { 200: savedMapping } },
  previewMapping: { request: { mapping, payload }, responses: { 200: success(preview) } },
  remapAlerts: { request: { onlyIncomplete: true }, responses: { 200: jobDone, 202: jobGoesOn } },
  sendEvent: {
    request: payload,
    responses: { 202: { status: 'success', message: 'Event accepted.', eventId: EVENT_ID } },
  },
  listEvents: { responses: { 200: page(event) } },
  getEvent: {
    responses: {
      200: success({ ...event, warnings: [], raw: JSON.stringify(payload), rawEncoding: 'utf-8' }),
    },
  },
  listAlerts: { responses: { 200: page(alert), 202: accepted } },
  getAlert: { responses: { 200: success({ ...alert, event, results: { fields, custom: {} } }) } },
  getServiceHealth: { responses: { 200: success(health) } },
  getLiveness: { responses: { 200: { status: 'success' } } },
  getReadiness: {
    responses: {
      200: { status: 'success', redis: true, database: true, worker: true },
      503: { status: 'error', redis: true, database: true, worker: false },
    },
  },
  getGreeting: { responses: { 200: { status: 'success', proof: 'f'.repeat(64) } } },
  getOpenApiDocument: { responses: { 200: { openapi: '3.1.0' } } },
};

/** The error that stands as the example of its status. */
const ERRORS = [
  badRequest('invalid_query', 'Invalid query parameter `pageSize`: must be an integer from 1 to 1000.', [
    { field: 'pageSize', code: 'invalid_format', message: 'must be an integer from 1 to 1000' },
  ]),
  unauthorized('invalid_api_key', 'This API key is unknown, expired or revoked.'),
  forbidden(['admin']),
  notFound('job'),
  notAcceptable(['application/json', 'text/csv']),
  requestTimeout(),
  conflict('job_not_failed', 'Only a failed job can be tried again; it is completed.', ID),
  gone('result_expired', 'The file is no longer there.'),
  tooLarge(65_536, 'body'),
  unsupportedMedia('Send the body as application/json.'),
  rangeNotSatisfiable(1_024),
  unprocessable('idempotency_key_reused', 'This Idempotency-Key was used for another request.', []),
  new RequestError(429, 'over_limit', 'This integration takes 600 events a minute.'),
  internalError(),
  unavailable('The queue'),
];

/** Returns an example of the JSON that an operation takes. */
export const requestExample = (operationId: string): unknown => BY_OPERATION[operationId]?.request;

/** Returns an example of the JSON that an operation responds with. */
export const responseExample = (operationId: string, status: number): unknown =>
  BY_OPERATION[operationId]?.responses?.[status] ?? errorExample(status);

export function errorExample(status: number): unknown {
  const error = ERRORS.find((one) => one.status === status);
  return error && errorBody(error, ID);
}
