import type { CatalogueSource } from '../source.js';

export default {
  name: 'hyperping',
  title: 'Hyperping',
  documentation: 'https://hyperping.com/docs/integrations/webhooks',
  sample: {
    event: 'check.down',
    check: { url: 'https://docs.example.com/', status: 500, down: true, date: 1770113640000, downtime: 2 },
    pings: [{ original: true, location: 'frankfurt', status: 500, statusMessage: 'Internal Server Error' }],
  },
  recovery: { event: 'check.up', check: { status: 200, down: false }, pings: [] },
  mapping: {
    fields: {
      title: { template: '{{webhook.check.name|webhook.check.url}}' },
      severity: {
        template: '{{webhook.event}}',
        values: { 'check.down': 'critical', 'check.up': 'info' },
        default: 'error',
      },
      description: {
        template:
          '{{webhook.check.url}}{{#webhook.check.status}} responded with {{.}}{{/webhook.check.status}}{{#webhook.pings}}\n{{location}}{{#statusMessage}}: {{.}}{{/statusMessage}}{{/webhook.pings}}',
      },
      source: { template: 'Hyperping' },
      service: { template: '{{webhook.check.url}}' },
      status: { template: '{{webhook.event}}', values: { 'check.down': 'firing', 'check.up': 'resolved' } },
      // When the check went down. Hyperping does not document what the date of its end is.
      occurrence: { expression: 'webhook.event == "check.down" ? webhook.check.date : ""' },
      // Older payloads have no id of the monitor.
      dedupKey: { template: '{{webhook.check.monitorUuid|webhook.check.url}}' },
    },
    custom: { downtime: { template: '{{webhook.check.downtime}}' } },
  },
  expected: [
    {
      title: 'https://docs.example.com/',
      severity: 'critical',
      description: 'https://docs.example.com/ responded with 500\nfrankfurt: Internal Server Error',
      source: 'Hyperping',
      service: 'https://docs.example.com/',
      status: 'firing',
      occurrence: '1770113640000',
      dedupKey: 'https://docs.example.com/',
    },
  ],
} satisfies CatalogueSource;
