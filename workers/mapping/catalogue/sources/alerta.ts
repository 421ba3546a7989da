import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

/** What only an alert says: what people do with one has a text too, which is theirs. */
const ofAlert = (value: string): string => `has(webhook.operation) ? "" : ${value}`;
const OVER = '["close", "closed", "expired"]';

export default {
  name: 'alerta',
  title: 'Alerta (API)',
  documentation: 'https://docs.alerta.io/api/reference.html#create-an-alert',
  options:
    'In a program that sends to Alerta, set the API endpoint to the webhook URL. If it has an option for the host only, use the token of the webhook URL as the API key',
  dropInPath: '',
  sample: {
    resource: 'db-1',
    event: 'DiskFull',
    environment: 'Production',
    severity: 'major',
    correlate: ['DiskFull', 'DiskOk'],
    service: ['Orders'],
    group: 'Storage',
    value: '94%',
    text: 'The disk of db-1 is filling up',
    tags: ['nightly'],
    attributes: { region: 'eu' },
    origin: 'monitor.example.com',
    type: 'exceptionAlert',
    createTime: '2026-02-03T10:20:00.000Z',
    timeout: 86_400,
    rawData: null,
    customer: null,
    dedupKey: 'Production/db-1/DiskFull,DiskOk',
  },
  otherSamples: [
    {
      status: 'ack',
      text: 'Looking',
      timeout: null,
      operation: 'status',
      dedupKey: 'Production/db-1/DiskFull',
    },
    { action: 'close', text: 'Cleaned up', operation: 'action', dedupKey: 'Production/db-1/DiskFull' },
  ],
  recovery: { event: 'DiskOk', severity: 'normal', value: '40%', text: 'The disk of db-1 has space' },
  mapping: {
    fields: {
      title: {
        expression: ofAlert(
          'first(webhook.event + " on " + webhook.resource, webhook.event, webhook.resource, webhook.text)',
        ),
      },
      severity: {
        template: '{{webhook.severity}}',
        values: {
          ...{
            security: 'critical',
            critical: 'critical',
            major: 'error',
            minor: 'warning',
            warning: 'warning',
          },
          ...{ indeterminate: 'warning', informational: 'info', normal: 'info', ok: 'info', cleared: 'info' },
          ...{ debug: 'info', trace: 'info', unknown: 'warning' },
        },
        default: 'warning',
      },
      description: {
        expression: `has(webhook.operation) ? (first(webhook.status, webhook.action, "") in ${OVER} ? first(webhook.text, "") : "") : first(webhook.text, webhook.event)`,
      },
      source: { expression: ofAlert('first(webhook.origin, webhook.resource)'), default: 'Alerta' },
      service: { template: '{{webhook.service[0]}}' },
      environment: { template: '{{webhook.environment}}' },
      // Without a severity, it is `normal`. Other words than these are those of problems, also ones that are configured.
      status: {
        expression: `first(webhook.operation, "") == "delete" || first(webhook.status, webhook.action, "") in ${OVER} ? "closed" : has(webhook.operation) ? "update" : string(first(webhook.severity, "normal")).lowerAscii() in ["normal", "ok", "cleared"] ? "closed" : "open"`,
        values: { open: 'firing', update: 'update', closed: 'resolved' },
      },
      dedupKey: {
        expression: `first(webhook.dedupKey, ${keyOf('webhook.environment', 'webhook.resource', 'webhook.event')})`,
      },
      // Seconds. Alerta expires what says nothing for so long. The timeout of an acknowledgement is the end of that.
      expiresAt: { expression: ofAlert('string(first(webhook.timeout, ""))') },
    },
    custom: {
      resource: { template: '{{webhook.resource}}' },
      event: { template: '{{webhook.event}}' },
      group: { template: '{{webhook.group}}' },
      value: { template: '{{webhook.value}}' },
      origin: { template: '{{webhook.origin}}' },
      type: { template: '{{webhook.type}}' },
      tags: { expression: ofAlert('first(webhook.tags.map(tag, string(tag)).join(", "), "")') },
      attributes: { template: '{{webhook.attributes}}' },
      note: { expression: 'has(webhook.operation) ? first(webhook.text, webhook.note, "") : ""' },
      acknowledged: {
        expression:
          'first(webhook.status, webhook.action, "") == "ack" ? "yes" : first(webhook.status, webhook.action, "") in ["unack", "open"] ? "no" : ""',
      },
    },
  },
  expected: [
    {
      title: 'DiskFull on db-1',
      severity: 'error',
      description: 'The disk of db-1 is filling up',
      source: 'monitor.example.com',
      service: 'Orders',
      environment: 'Production',
      status: 'firing',
      dedupKey: 'Production/db-1/DiskFull,DiskOk',
      expiresAt: '86400',
    },
  ],
} satisfies CatalogueSource;
