import type { CatalogueSource } from '../source.js';

export default {
  name: 'healthchecks',
  title: 'Healthchecks.io',
  documentation: 'https://healthchecks.io/docs/configuring_notifications/',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Integrations → Webhook → Request Headers: X-Muster-Token: …',
  },
  sample: {
    incident_key: '00000000-1111-4222-8333-555555555555',
    event_type: 'trigger',
    title: 'Nightly backup is DOWN',
    description: 'Nightly backup is DOWN.\n\nLast ping was 26 hours ago.',
    client: 'healthchecks.io',
    client_url: 'https://healthchecks.io',
    tags: 'backup production',
  },
  recovery: { event_type: 'resolve', title: 'Nightly backup is UP', description: 'Nightly backup is UP.' },
  mapping: {
    fields: {
      title: { template: '{{webhook.title|webhook.description}}' },
      severity: { template: '{{webhook.event_type}}', values: { trigger: 'critical', resolve: 'info' } },
      description: { template: '{{webhook.description|webhook.title}}' },
      source: { template: 'Healthchecks' },
      status: { template: '{{webhook.event_type}}' },
      // The body of the webhook decides: `$CODE` identifies the check.
      dedupKey: { template: '{{webhook.incident_key}}' },
    },
    custom: {
      event: { template: '{{webhook.event_type}}' },
      tags: { template: '{{webhook.tags}}' },
      link: { template: '{{webhook.client_url}}' },
    },
  },
  expected: [
    {
      title: 'Nightly backup is DOWN',
      severity: 'critical',
      description: 'Nightly backup is DOWN.\n\nLast ping was 26 hours ago.',
      source: 'Healthchecks',
      status: 'firing',
      dedupKey: '00000000-1111-4222-8333-555555555555',
    },
  ],
} satisfies CatalogueSource;
