import { keyOf, shorterKeyOf } from '../keys.js';
import { notificationStatus } from '../notifications.js';
import { SEVERITIES, UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** The state of the service, or of the host. `status` of a service may be that of its host. */
const STATE = 'first(webhook.service, "") != "" ? webhook.severity : webhook.status';

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
    micro_time: '1770113640000000',
  },
  recovery: {
    summary: 'CheckMK mail-2/Mail Queue - CRIT -> OK',
    event: 'CRIT -> OK',
    output: '3 mails in the queue',
    status: 'UP',
    severity: 'OK',
    notification_type: 'RECOVERY',
    micro_time: '1770114240000000',
  },
  mapping: {
    fields: {
      // The summary changes with the state.
      title: {
        expression:
          'first(first(webhook.service, "") != "" ? webhook.service + " on " + webhook.host : "Host " + webhook.host, webhook.summary, webhook.output, webhook.event)',
      },
      severity: {
        // Notifications of hosts have the severity OK, whatever their state.
        expression: STATE,
        values: { ...SEVERITIES, ...UP_OR_DOWN, unknown: 'warning', unreachable: 'error', unreach: 'error' },
        default: 'error',
      },
      description: { template: '{{webhook.output|webhook.event|webhook.summary}}' },
      source: { template: 'Checkmk' },
      service: { template: '{{webhook.service|webhook.host}}' },
      environment: { template: '{{webhook.site}}' },
      status: {
        expression: notificationStatus('first(webhook.notification_type, "")', STATE),
        values: { crit: 'firing', unreach: 'firing' },
      },
      // Earlier notification scripts do not send the time.
      occurrence: { template: '{{webhook.micro_time}}' },
      // The id of a problem is 0 when the problem is over, so host and service identify it.
      dedupKey: {
        expression: `first(${keyOf('webhook.site', 'webhook.host', 'webhook.service')}, ${shorterKeyOf('webhook.site', 'webhook.host')})`,
      },
    },
    custom: {
      host: { template: '{{webhook.host}}' },
      type: { template: '{{webhook.notification_type}}' },
    },
  },
  expected: [
    {
      title: 'Mail Queue on mail-2',
      severity: 'critical',
      description: '1204 mails in the queue (!!)',
      source: 'Checkmk',
      service: 'Mail Queue',
      environment: 'prod',
      status: 'firing',
      dedupKey: 'prod/mail-2/Mail Queue',
      occurrence: '1770113640000000',
    },
  ],
} satisfies CatalogueSource;
