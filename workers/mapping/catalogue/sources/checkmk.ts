import { SEVERITIES, UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'checkmk',
  title: 'Checkmk',
  documentation: 'https://docs.checkmk.com/latest/en/notifications.html',
  sample: {
    id: '77',
    summary: 'CheckMK mail-2/Mail Queue - OK -> CRIT',
    host: 'mail-2',
    alias: 'mail-2',
    address: '192.0.2.31',
    event: 'OK -> CRIT',
    output: '1204 mails in the queue (!!)',
    long_output: '',
    status: 'CRITICAL',
    severity: 'CRITICAL',
    url: '/check_mk/index.py?start_url=view.py',
    site: 'prod',
    what: 'SERVICE',
    notification_type: 'PROBLEM',
    service: 'Mail Queue',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.summary|webhook.host|webhook.output|webhook.event}}' },
      severity: {
        template: '{{webhook.severity|webhook.status}}',
        values: { ...SEVERITIES, ...UP_OR_DOWN, unknown: 'warning', unreachable: 'error' },
        default: 'error',
      },
      description: { template: '{{webhook.output|webhook.event}}' },
      source: { template: 'Checkmk' },
      service: { template: '{{webhook.service|webhook.host}}' },
      environment: { template: '{{webhook.site}}' },
    },
    custom: {
      host: { template: '{{webhook.host}}' },
      type: { template: '{{webhook.notification_type}}' },
    },
  },
  expected: [
    {
      title: 'CheckMK mail-2/Mail Queue - OK -> CRIT',
      severity: 'critical',
      description: '1204 mails in the queue (!!)',
      source: 'Checkmk',
      service: 'Mail Queue',
      environment: 'prod',
    },
  ],
} satisfies CatalogueSource;
