import { keyOf } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'serverguard24',
  title: 'ServerGuard24',
  documentation: 'https://pagertree.com/docs/integration-guides/server-guard-24',
  sample: {
    server_name: 'Intranet',
    server_address: 'intranet.example.com',
    service_name: 'Certificate',
    service_shortname: 'cert',
    service_message: '',
    check_result: 'WARNING',
    check_output: 'The certificate expires in 6 days',
    notification_time: '03.02.2026 10:20:00',
  },
  recovery: {
    check_result: 'OK',
    notification_time: '03.02.2026 11:20:00',
    check_output: 'The certificate expires in 90 days',
  },
  mapping: {
    fields: {
      title: {
        expression:
          'first(first(webhook.service_name, webhook.service_shortname) + " on " + webhook.server_name, webhook.service_name, webhook.service_shortname, webhook.server_name)',
      },
      severity: {
        template: '{{webhook.check_result}}',
        values: { ...SEVERITIES, unknown: 'warning' },
        default: 'error',
      },
      description: {
        template: '{{webhook.check_output|webhook.service_message|webhook.check_result}}',
      },
      source: { template: 'ServerGuard24' },
      service: { template: '{{webhook.service_name}}' },
      status: { template: '{{webhook.check_result}}' },
      // A service of a server; the payload has no id.
      // The time of the notification, without a zone. It does not compare in the nights in which clocks may be set back.
      occurrence: {
        expression:
          'first(webhook.notification_time.matches("^..[.](03|04|09|10|11)[.].* 0[0-4]:") ? "" : extract(webhook.notification_time, "([0-9]{4}) ") + "-" + extract(webhook.notification_time, "[.]([0-9]{2})[.]") + "-" + extract(webhook.notification_time, "^[0-9]{2}") + "T" + extract(webhook.notification_time, "[0-9:]{8}$") + "Z", "")',
      },
      dedupKey: { expression: keyOf('webhook.server_name', 'webhook.service_shortname') },
    },
    custom: { server: { template: '{{webhook.server_address}}' } },
  },
  expected: [
    {
      title: 'Certificate on Intranet',
      severity: 'warning',
      description: 'The certificate expires in 6 days',
      source: 'ServerGuard24',
      service: 'Certificate',
      status: 'firing',
      dedupKey: 'Intranet/cert',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
