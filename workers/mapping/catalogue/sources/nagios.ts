import { keyOf, part } from '../keys.js';
import { notificationStatus } from '../notifications.js';
import type { CatalogueSource } from '../source.js';

/** The state of the service, or of the host. Short commands may send only the type, which may be news of a problem. */
const STATE =
  'first(webhook.NOTIFICATIONTYPE, "").matches("(?i)^(PROBLEM|RECOVERY)$") ? webhook.NOTIFICATIONTYPE : first(webhook.SERVICESTATE, webhook.HOSTSTATE, first(webhook.NOTIFICATIONTYPE, "").matches("(?i)^(ACK|CUSTOM|DOWNTIME|FLAPPING)") ? "update" : webhook.NOTIFICATIONTYPE)';

export default {
  name: 'nagios',
  title: 'Nagios and Icinga',
  documentation:
    'https://assets.nagios.com/downloads/nagioscore/docs/nagioscore/4/en/macrolist.html#servicemacros',
  // Only what short commands send too, so that they are recognized.
  repeatSeconds: 2 * 60 * 60,
  sample: {
    NOTIFICATIONTYPE: 'PROBLEM',
    HOSTNAME: 'mail-3',
    SERVICEDESC: 'Mail queue',
    SERVICESTATE: 'CRITICAL',
    SERVICEOUTPUT: 'QUEUE CRITICAL - 1204 mails',
    LASTSERVICESTATECHANGE: '1770113640',
  },
  recovery: {
    NOTIFICATIONTYPE: 'RECOVERY',
    SERVICESTATE: 'OK',
    SERVICEOUTPUT: 'QUEUE OK - 3 mails',
    LASTSERVICESTATECHANGE: '1770115200',
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{#webhook.SERVICEDESC}}{{.}} on {{webhook.HOSTNAME}}{{/webhook.SERVICEDESC}}{{^webhook.SERVICEDESC}}Host {{webhook.HOSTNAME}}{{/webhook.SERVICEDESC}}',
      },
      severity: {
        template: '{{webhook.SERVICESTATE|webhook.HOSTSTATE}}',
        values: {
          critical: 'critical',
          down: 'critical',
          unreachable: 'error',
          warning: 'warning',
          unknown: 'warning',
          ok: 'info',
          up: 'info',
        },
        default: 'error',
      },
      // Nagios writes the line breaks of the long output as \n.
      description: {
        expression:
          '[first(webhook.SERVICEOUTPUT, webhook.HOSTOUTPUT, webhook.SERVICESTATE, webhook.HOSTSTATE, ""), first(webhook.LONGSERVICEOUTPUT, webhook.LONGHOSTOUTPUT, "").replace("\\\\n", "\\n")].filter(text, text != "").join("\\n")',
      },
      source: { template: 'Nagios' },
      service: { template: '{{webhook.SERVICEDESC|webhook.HOSTNAME}}' },
      team: { template: '{{webhook.CONTACTGROUPNAME}}' },
      status: {
        expression: notificationStatus('first(webhook.NOTIFICATIONTYPE, "")', STATE),
      },
      // The time of the last change of state grows from a problem to its end, and to the next problem.
      occurrence: { template: '{{webhook.LASTSERVICESTATECHANGE|webhook.LASTHOSTSTATECHANGE}}' },
      // The id of a problem is 0 in its recovery, so host and service identify it.
      dedupKey: {
        expression: `first(${keyOf('webhook.HOSTNAME', 'webhook.SERVICEDESC')}, ${part('webhook.HOSTNAME')})`,
      },
    },
    custom: {
      host: { template: '{{webhook.HOSTNAME}}' },
      address: { template: '{{webhook.HOSTADDRESS}}' },
      type: { template: '{{webhook.NOTIFICATIONTYPE}}' },
    },
  },
  expected: [
    {
      title: 'Mail queue on mail-3',
      severity: 'critical',
      description: 'QUEUE CRITICAL - 1204 mails',
      source: 'Nagios',
      service: 'Mail queue',
      status: 'firing',
      occurrence: '1770113640',
      dedupKey: 'mail-3/Mail queue',
    },
  ],
} satisfies CatalogueSource;
