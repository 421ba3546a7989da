import type { CatalogueSource } from './source.js';

/** An application that reports a fault of its own, without a severity. */
export const genericApplication: CatalogueSource = {
  name: 'generic-application',
  title: 'Generic application',
  documentation: null,
  sample: {
    application: 'mailer',
    alert_type: 'delivery',
    details: { error: 'Queue is stuck', impact: 'Mails are late', affected_regions: ['eu-1', 'eu-2'] },
    context: { datacenter: 'eu-central', component: 'outbox' },
  },
  mapping: {
    split: null,
    fields: {
      title: { template: '{{webhook.alert_type}} error in {{webhook.application}}' },
      severity: { template: '{{webhook.severity}}', default: 'error' },
      description: { template: '{{webhook.details.error}} - Impact: {{webhook.details.impact}}' },
      source: { template: '{{webhook.source}}', default: 'generic-application' },
      service: { template: '{{webhook.application}}' },
      environment: { template: '{{webhook.context.datacenter}}' },
    },
    custom: {},
  },
  expected: [
    {
      title: 'delivery error in mailer',
      severity: 'error',
      description: 'Queue is stuck - Impact: Mails are late',
      source: 'generic-application',
      service: 'mailer',
      environment: 'eu-central',
    },
  ],
};
