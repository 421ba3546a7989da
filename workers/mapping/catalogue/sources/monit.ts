import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

/** The kind of test that an event is about: `connection` of both "Connection failed" and "Connection succeeded". */
const KIND =
  'webhook.MONIT_EVENT.matches("(?i)exist") ? "exist" : webhook.MONIT_EVENT.matches("(?i)\\\\btype\\\\b") ? "type" : extract(webhook.MONIT_EVENT, "(?i)^(.+?)(?: (?:failed|succeeded|ok|exceeded|error|match|matched|doesn.t match|changed|not changed|changed not|up|down|recovery))?$").lowerAscii()';

/**
 * The date of an event. It is local time without a zone, so it does not compare in the nights of a Sunday in which clocks may be set
 * back: an hour would come twice.
 */
const DATE =
  'first(webhook.MONIT_DATE, "").matches("^Sun, .. (Mar|Apr|Sep|Oct|Nov) .* 0[0-4]:") ? "" : extract(webhook.MONIT_DATE, " ([0-9]{4}) ") + "-" + {"Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07", "Aug": "08", "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12"}[extract(webhook.MONIT_DATE, " ([A-Z][a-z]{2}) ")] + "-" + extract(webhook.MONIT_DATE, ", ([0-9]{2}) ") + "T" + extract(webhook.MONIT_DATE, " ([0-9:]{8})$") + "Z"';

/** Whether an event of Monit says that a test succeeds again, see its table of events. */
const IS_OVER =
  'webhook.MONIT_EVENT.matches("(?i)( succeeded| ok|^exists|^link up|recovery| not changed| changed not|^content doesn.t match)$")';

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
    // What somebody did to Monit or to a service tells of no problem.
    filter: '!first(webhook.MONIT_EVENT, "").matches("(?i)^(action done|monit instance changed)$")',
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
      occurrence: { expression: `first(${DATE}, "")` },
      // A test of a service. Two of one kind, such as CPU and memory, are only told apart by the name that exec gives them.
      dedupKey: {
        expression: keyOf('webhook.MONIT_HOST', 'webhook.MONIT_SERVICE', `first(webhook.test, ${KIND})`),
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
      occurrence: '2026-02-03T10:14:00Z',
    },
  ],
} satisfies CatalogueSource;
