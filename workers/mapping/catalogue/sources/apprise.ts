import type { CatalogueSource } from '../source.js';

export default {
  name: 'apprise',
  title: 'Apprise',
  documentation: 'https://appriseit.com/services/json/',
  sample: {
    version: '1.0',
    title: 'Backup of shop-db',
    message: 'The backup ended after 12 minutes: no space left on device.',
    attachments: [],
    type: 'failure',
    key: 'backup of shop-db',
  },
  recovery: { message: 'The backup took 31 minutes.', type: 'success' },
  mapping: {
    fields: {
      title: { template: '{{webhook.title|webhook.message}}' },
      severity: {
        template: '{{webhook.type}}',
        values: { failure: 'error', warning: 'warning', success: 'info', info: 'info' },
        default: 'warning',
      },
      description: { template: '{{webhook.message|webhook.title}}' },
      source: { template: 'Apprise' },
      service: { template: '{{webhook.service}}' },
      environment: { template: '{{webhook.environment}}' },
      team: { template: '{{webhook.team}}' },
      status: {
        template: '{{webhook.type}}',
        values: { failure: 'firing', warning: 'firing', success: 'resolved', info: 'update' },
      },
      // Apprise has no id of a problem: the URL adds one with ?:key=…
      dedupKey: { template: '{{webhook.key}}' },
    },
  },
  expected: [
    {
      title: 'Backup of shop-db',
      severity: 'error',
      description: 'The backup ended after 12 minutes: no space left on device.',
      source: 'Apprise',
      status: 'firing',
      dedupKey: 'backup of shop-db',
    },
  ],
} satisfies CatalogueSource;
