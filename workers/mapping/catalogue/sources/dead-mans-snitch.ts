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
  recovery: { type: 'snitch.reporting', data: { snitch: { status: 'healthy', previous_status: 'errored' } } },
  mapping: {
    fields: {
      title: { template: '{{webhook.data.snitch.name}} is {{webhook.data.snitch.status}}' },
      severity: {
        template: '{{webhook.data.snitch.status}}',
        values: { missing: 'critical', errored: 'error', failed: 'error', healthy: 'info', paused: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.data.snitch.notes|webhook.type}}' },
      source: { template: "Dead Man's Snitch" },
      service: { template: '{{webhook.data.snitch.name}}' },
      status: {
        template: '{{webhook.data.snitch.status}}',
        values: { errored: 'firing', paused: 'resolved' },
      },
      // The token identifies the snitch. Nobody waits for a paused one.
      dedupKey: { template: '{{webhook.data.snitch.token}}' },
    },
    custom: { tags: { template: '{{#webhook.data.snitch.tags}}{{.}} {{/webhook.data.snitch.tags}}' } },
  },
  expected: [
    {
      title: 'Nightly export is errored',
      severity: 'error',
      description: "Check the exporter's disk",
      source: "Dead Man's Snitch",
      service: 'Nightly export',
      status: 'firing',
      dedupKey: 'abc123def4',
    },
  ],
} satisfies CatalogueSource;
