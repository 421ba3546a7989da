import { SEVERITIES, UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** The state of the service, or of the host. `status` of a service only says what kind of notification it is. */
const STATE =
  '{{#webhook.service}}{{webhook.severity}}{{/webhook.service}}{{^webhook.service}}{{webhook.status}}{{/webhook.service}}';

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
  recovery: {
    summary: 'CheckMK mail-2/Mail Queue - CRIT -> OK',
    event: 'CRIT -> OK',
    output: '3 mails in the queue',
    status: 'UP',
    severity: 'OK',
    notification_type: 'RECOVERY',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.summary|webhook.host|webhook.output|webhook.event}}' },
      severity: {
        // Notifications of hosts have the severity OK, whatever their state.
        template: STATE,
        values: { ...SEVERITIES, ...UP_OR_DOWN, unknown: 'warning', unreachable: 'error', unreach: 'error' },
        default: 'error',
      },
      description: { template: '{{webhook.output|webhook.event}}' },
      source: { template: 'Checkmk' },
      service: { template: '{{webhook.service|webhook.host}}' },
      environment: { template: '{{webhook.site}}' },
      status: { template: STATE, values: { crit: 'firing', unreach: 'firing' } },
      // The id of a problem is 0 when the problem is over, so host and service identify it.
      dedupKey: {
        template:
          '{{webhook.site}}/{{webhook.host}}{{#webhook.service}}/{{.}}{{/webhook.service}}{{^webhook.service}}{{/webhook.service}}',
      },
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
      status: 'firing',
      dedupKey: 'prod/mail-2/Mail Queue',
    },
  ],
} satisfies CatalogueSource;
