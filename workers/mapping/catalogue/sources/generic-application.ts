import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'generic-application',
  title: 'Generic: application and details',
  documentation: 'https://developer.harness.io/docs/ai-sre/alerts/webhooks/use-mustache-webhooks',
  sample: {
    application: 'invoices',
    alert_type: 'deadline',
    details: {
      error: 'The tax service does not respond',
      impact: 'Invoices are late',
      affected_regions: ['eu-central', 'eu-west'],
    },
    context: { datacenter: 'eu-central-a', component: 'tax' },
  },
  mapping: {
    fields: {
      title: {
        expression:
          'first(webhook.alert_type + " in " + webhook.application, webhook.alert_type, webhook.details.error, webhook.application)',
      },
      severity: { template: '{{webhook.severity}}', values: SEVERITIES, default: 'critical' },
      description: {
        expression:
          'first(webhook.details.error + " - Impact: " + webhook.details.impact, webhook.details.error, webhook.details.impact, webhook.alert_type)',
      },
      source: { template: '{{webhook.source}}', default: 'Webhook' },
      service: { template: '{{webhook.application}}' },
      environment: { template: '{{webhook.context.datacenter}}' },
      team: { template: '{{webhook.context.team}}' },
      // No dedupKey: the payload has neither an id nor a status.
    },
    custom: {
      component: { template: '{{webhook.context.component}}' },
      regions: {
        template: '{{#webhook.details.affected_regions}}{{.}} {{/webhook.details.affected_regions}}',
      },
    },
  },
  expected: [
    {
      title: 'deadline in invoices',
      severity: 'critical',
      description: 'The tax service does not respond - Impact: Invoices are late',
      source: 'Webhook',
      service: 'invoices',
      environment: 'eu-central-a',
    },
  ],
} satisfies CatalogueSource;
