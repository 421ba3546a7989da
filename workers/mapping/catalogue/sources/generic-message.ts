import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'generic-message',
  title: 'Generic: title, message and type',
  documentation: 'https://github.com/caronc/apprise/wiki/Notify_Custom_JSON',
  sample: {
    title: 'Backup of db-3 failed',
    message: 'The backup ended after 12 minutes: no space left on device.',
    type: 'failure',
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.title|webhook.Title|webhook.subject|webhook.Subject|webhook.message|webhook.Message}}',
      },
      severity: {
        template:
          '{{webhook.severity|webhook.Severity|webhook.type|webhook.level|webhook.Level|webhook.priority|webhook.Priority}}',
        values: { ...SEVERITIES, failure: 'error', success: 'info' },
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.message|webhook.Message|webhook.description|webhook.Description|webhook.text|webhook.body}}',
      },
      source: { template: '{{webhook.source}}', default: 'Webhook' },
      service: { template: '{{webhook.service|webhook.host.name|webhook.host}}' },
      // No dedupKey: the payload has neither an id nor a status.
    },
  },
  expected: [
    {
      title: 'Backup of db-3 failed',
      severity: 'error',
      description: 'The backup ended after 12 minutes: no space left on device.',
      source: 'Webhook',
    },
  ],
} satisfies CatalogueSource;
