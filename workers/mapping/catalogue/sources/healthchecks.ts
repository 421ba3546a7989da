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
    // The body of the webhook is yours. Second paths are those of the placeholders `$NAME`, `$STATUS` and `$CODE`.
    fields: {
      // The name of the check, without the state that follows it.
      title: {
        expression:
          'first(webhook.name, webhook.title.replace(" is DOWN", "").replace(" is UP", ""), extract(webhook.description, "^[^\\n]*"))',
      },
      severity: {
        template: '{{webhook.event_type|webhook.status}}',
        values: { trigger: 'critical', down: 'critical', resolve: 'info', up: 'info' },
        default: 'critical',
      },
      description: { template: '{{webhook.description|webhook.title|webhook.name}}' },
      source: { template: 'Healthchecks' },
      // The Test button sends a check that is named TEST.
      status: {
        expression:
          'first(webhook.name, webhook.title, "").matches("^TEST( is DOWN| is UP)?$") ? "test" : first(webhook.event_type, webhook.status)',
      },
      // The time of the change, which your body has if it names `$NOW`.
      occurrence: { template: '{{webhook.timestamp|webhook.now|webhook["current time"]}}' },
      // The check, which `$CODE` identifies.
      dedupKey: { template: '{{webhook.incident_key|webhook.code}}' },
    },
    custom: {
      event: { template: '{{webhook.event_type|webhook.status}}' },
      tags: { template: '{{webhook.tags}}' },
      link: { template: '{{webhook.client_url}}' },
    },
  },
  expected: [
    {
      title: 'Nightly backup',
      severity: 'critical',
      description: 'Nightly backup is DOWN.\n\nLast ping was 26 hours ago.',
      source: 'Healthchecks',
      status: 'firing',
      dedupKey: '00000000-1111-4222-8333-555555555555',
    },
  ],
} satisfies CatalogueSource;
