import { AT, ID, LATER, successExample, WEBHOOK_ID } from './values.js';

/* The integrations, templates and previews of the examples, in the JSON form of the API. */

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
  resolveAfterSeconds: null,
  silence: null,
  driftSeverity: 'warning',
  mutedUntil: null,
  managedBy: null,
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  createdAt: AT,
  updatedAt: AT,
};
export const importedToken = {
  id: ID,
  source: 'Opsgenie: Datadog production',
  ending: 'd9c4',
  createdAt: AT,
  lastUsedAt: null,
};
export const webhookImport = {
  dryRun: false,
  rows: [
    {
      row: 1,
      product: 'opsgenie',
      name: 'Datadog production',
      type: 'Datadog',
      template: 'datadog',
      token: true,
      action: 'create',
      reason: null,
      webhookId: WEBHOOK_ID,
      errors: [],
    },
  ],
};
/** Nothing has used the token of the webhook URL yet. */
export const usedTokens = [
  { kind: 'current', imported: null, createdAt: AT, expiresAt: null, senders: [] },
  {
    kind: 'imported',
    imported: { id: ID, source: importedToken.source, ending: importedToken.ending },
    createdAt: AT,
    expiresAt: null,
    senders: [
      {
        path: '/v2/alerts',
        atRoot: true,
        host: 'api.opsgenie.com',
        userAgent: 'Datadog/Webhook',
        firstAt: AT,
        lastAt: LATER,
        requests: 1420,
      },
    ],
  },
];
export const mapping = {
  fields: {
    title: { template: '{{webhook.alert.name}}' },
    severity: { template: '{{webhook.alert.severity}}', default: 'warning' },
    description: { template: '{{webhook.alert.message}}' },
    source: { template: '{{webhook.metadata.service}}' },
  },
};
export const revision = { revision: 1, current: true, createdAt: AT, savedBy: { id: ID, name: 'console' } };
export const savedMapping = successExample({ ...revision, mapping });
/** A mapping that was saved just now. */
export const checkedMapping = successExample({ ...revision, mapping, warnings: [] });
export const payload = { alert: { name: 'High CPU', severity: 'critical', message: 'CPU above 90%' } };
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
export const fields = {
  title: {
    value: 'High CPU',
    result: 'resolved',
    paths: ['webhook.alert.name'],
    missing: [],
    warnings: [],
  },
};
const alert = {
  eventId: null,
  item: 0,
  state: 'complete',
  fields,
  custom: {},
  series: null,
  faults: [],
};
export const preview = {
  revision: null,
  alerts: [{ ...alert, repeatWindowSeconds: null }],
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
export const template = {
  name: 'generic-alert',
  title: 'Generic alert',
  description: '',
  origin: 'catalogue',
  documentation: null,
  options: null,
  dropInPath: null,
  signature: null,
  sample: payload,
  repeatSeconds: null,
  resolvingSample: null,
  mapping,
  revision: null,
  savedBy: null,
  managedBy: null,
  ownerId: null,
};
export const savedTemplate = {
  ...template,
  name: 'checkout',
  title: 'Checkout alarms',
  origin: 'saved',
  revision: 1,
  savedBy: { id: ID, name: 'console' },
  ownerId: ID,
};
export const templateDocument = {
  name: 'checkout',
  title: 'Checkout alarms',
  description: '',
  mapping,
  sample: payload,
  managedBy: 'https://git.example.com/platform/alerts',
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
  alerts: [alert],
};

export const heartbeatSettings = {
  description: 'The nightly backup of the orders database',
  schedule: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
  graceSeconds: 1800,
  maxRunSeconds: 7200,
  severity: 'error',
};

export const heartbeat = {
  name: 'orders-backup',
  ...heartbeatSettings,
  state: 'up',
  lastSuccessAt: LATER,
  lastStartAt: AT,
  lastFailureAt: null,
  lastExitStatus: null,
  nextExpectedAt: '2026-02-01T02:00:00.000Z',
  url: 'https://muster.example.com/api/v1/webhook/SECRET/heartbeat/orders-backup',
  createdAt: AT,
  updatedAt: AT,
};

export const openHours = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', timeZone: 'Europe/Berlin' };

/** An integration as a file has it. */
export const integrationDocument = {
  name: 'CPU alarms',
  description: '',
  template: 'generic-alert',
  mapping,
  signature: null,
  rateLimit: null,
  challenge: null,
  resolveAfterSeconds: 900,
  silence: null,
  driftSeverity: 'warning',
  heartbeats: { 'orders-backup': heartbeatSettings },
  managedBy: 'https://git.example.com/platform/alerts',
};
export const savedIntegration = {
  outcome: 'changed',
  id: WEBHOOK_ID,
  url,
  changes: [{ path: 'resolveAfterSeconds', before: null, after: 900 }],
  warnings: [],
};
