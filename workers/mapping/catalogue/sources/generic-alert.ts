import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'generic-alert',
  title: 'Generic: alert and metadata',
  documentation: 'https://developer.harness.io/docs/ai-sre/alerts/webhooks/use-mustache-webhooks',
  sample: {
    alert: {
      name: 'Too many open files',
      severity: 'error',
      message: 'The limit of open files is nearly reached',
      timestamp: '2026-02-03T10:20:00Z',
    },
    metadata: { service: 'thumbnails', environment: 'staging', team: 'media' },
    metrics: { open_files: 61000 },
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.alert.name|webhook.alert.message}}' },
      severity: { template: '{{webhook.alert.severity}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.alert.message|webhook.alert.name}}' },
      source: { template: '{{webhook.source}}', default: 'Webhook' },
      service: { template: '{{webhook.metadata.service}}' },
      environment: { template: '{{webhook.metadata.environment}}' },
      team: { template: '{{webhook.metadata.team}}' },
      // No dedupKey: the payload has neither an id nor a status.
    },
    custom: { metrics: { template: '{{webhook.metrics}}' } },
  },
  expected: [
    {
      title: 'Too many open files',
      severity: 'error',
      description: 'The limit of open files is nearly reached',
      source: 'Webhook',
      service: 'thumbnails',
      environment: 'staging',
      team: 'media',
    },
  ],
} satisfies CatalogueSource;
