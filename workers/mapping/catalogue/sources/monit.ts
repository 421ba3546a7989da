import type { CatalogueSource } from '../source.js';

/** Whether an event of Monit says that a test succeeds again, see its table of events. */
const IS_OVER =
  'webhook.MONIT_EVENT.matches("(?i)( succeeded| ok|^exists|^link up|recovery| not changed|^content doesn.t match)$")';

export default {
  name: 'monit',
  title: 'Monit',
  documentation: 'https://mmonit.com/monit/documentation/monit.html#ENVIRONMENT',
  sample: {
    MONIT_HOST: 'web-7',
    MONIT_SERVICE: 'nginx',
    MONIT_EVENT: 'Connection failed',
    MONIT_DESCRIPTION: 'failed protocol test [HTTP] at [127.0.0.1]:80 -- Connection refused',
    MONIT_DATE: 'Tue, 03 Feb 2026 10:14:00',
    test: 'port 80',
  },
  recovery: {
    MONIT_EVENT: 'Connection succeeded',
    MONIT_DESCRIPTION: 'connection succeeded to [127.0.0.1]:80 [TCP/IP]',
    MONIT_DATE: 'Tue, 03 Feb 2026 10:20:00',
  },
  mapping: {
    fields: {
      // An event has no name: "Connection failed" begins and "Connection succeeded" ends. The test is what exec names it.
      title: {
        template:
          '{{webhook.MONIT_SERVICE|webhook.MONIT_EVENT}}{{#webhook.test}} ({{.}}){{/webhook.test}}{{#webhook.MONIT_HOST}} on {{.}}{{/webhook.MONIT_HOST}}',
      },
      // Monit has no severities.
      severity: { template: '{{webhook.severity}}', default: 'error' },
      description: { template: '{{webhook.MONIT_DESCRIPTION|webhook.MONIT_EVENT}}' },
      source: { template: 'Monit' },
      service: { template: '{{webhook.MONIT_SERVICE}}' },
      status: { expression: `${IS_OVER} ? "resolved" : "firing"` },
      // Two tests of one service can have the same events, so the key needs the name of the test.
      dedupKey: {
        template:
          '{{webhook.MONIT_HOST}}/{{webhook.MONIT_SERVICE}}{{#webhook.test}}/{{.}}{{/webhook.test}}{{^webhook.test}}{{/webhook.test}}',
      },
    },
    custom: {
      host: { template: '{{webhook.MONIT_HOST}}' },
      event: { template: '{{webhook.MONIT_EVENT}}' },
    },
  },
  expected: [
    {
      title: 'nginx (port 80) on web-7',
      severity: 'error',
      description: 'failed protocol test [HTTP] at [127.0.0.1]:80 -- Connection refused',
      source: 'Monit',
      service: 'nginx',
      status: 'firing',
      dedupKey: 'web-7/nginx/port 80',
    },
  ],
} satisfies CatalogueSource;
