import type { CatalogueSource } from '../source.js';

export default {
  name: 'dead-mans-snitch',
  title: "Dead Man's Snitch",
  documentation: 'https://deadmanssnitch.com/docs/integrations/webhooks',
  sample: {
    type: 'snitch.errored',
    timestamp: '2026-02-03T10:20:00.000Z',
    data: {
      snitch: {
        token: 'abc123def4',
        name: 'Nightly export',
        notes: "Check the exporter's disk",
        tags: ['export', 'production'],
        status: 'errored',
        previous_status: 'healthy',
      },
    },
  },
  recovery: {
    type: 'snitch.reporting',
    timestamp: '2026-02-03T10:40:00.000Z',
    data: { snitch: { status: 'healthy', previous_status: 'errored' } },
  },
  mapping: {
    fields: {
      // A snitch that reported an error may be missing later.
      title: { template: '{{webhook.data.snitch.name|webhook.data.snitch.token}}' },
      severity: {
        template: '{{webhook.data.snitch.status}}',
        values: { missing: 'critical', errored: 'error', failed: 'error', healthy: 'info', paused: 'info' },
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.data.snitch.notes, {"missing": "It has not checked in.", "errored": "It reported an error.", "healthy": "It has checked in.", "paused": "It is paused."}[webhook.data.snitch.status], webhook.type)',
      },
      source: { template: "Dead Man's Snitch" },
      service: { template: '{{webhook.data.snitch.name}}' },
      status: {
        template: '{{webhook.data.snitch.status}}',
        values: { errored: 'firing', paused: 'resolved' },
      },
      occurrence: { template: '{{webhook.timestamp}}' },
      // The token identifies the snitch. Nobody waits for a paused one.
      dedupKey: { template: '{{webhook.data.snitch.token}}' },
    },
    custom: { tags: { template: '{{#webhook.data.snitch.tags}}{{.}} {{/webhook.data.snitch.tags}}' } },
  },
  expected: [
    {
      title: 'Nightly export',
      severity: 'error',
      description: "Check the exporter's disk",
      source: "Dead Man's Snitch",
      service: 'Nightly export',
      status: 'firing',
      dedupKey: 'abc123def4',
      occurrence: '2026-02-03T10:20:00.000Z',
    },
  ],
} satisfies CatalogueSource;
