import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'netdata',
  title: 'Netdata Agent',
  documentation:
    'https://learn.netdata.cloud/docs/alerts-&-notifications/notifications/agent-dispatched-notifications/custom',
  sample: {
    host: 'cache-4',
    name: 'disk_space_usage',
    chart: 'disk_space._srv',
    family: '/srv',
    status: 'CRITICAL',
    old_status: 'WARNING',
    value_string: '98.4%',
    info: 'space utilization of the disk /srv',
    when: '1770113640',
    roles: 'sysadmin',
    goto_url: 'https://registry.example.com/goto-host-redirect.html?chart=disk_space._srv',
  },
  recovery: { status: 'CLEAR', old_status: 'CRITICAL', value_string: '61.2%', when: '1770115200' },
  mapping: {
    fields: {
      title: {
        expression:
          'first(webhook.name.replace("_", " ") + first(" of " + webhook.chart, "") + first(" on " + webhook.host, ""), webhook.chart + first(" on " + webhook.host, ""))',
        default: 'Alarm of Netdata',
      },
      severity: {
        template: '{{webhook.status}}',
        values: { critical: 'critical', warning: 'warning', clear: 'info', removed: 'info' },
        default: 'warning',
      },
      description: {
        expression: 'first(webhook.info + ": " + webhook.value_string, webhook.info, webhook.value_string)',
      },
      source: { template: 'Netdata' },
      service: { template: '{{webhook.chart}}' },
      team: { template: '{{webhook.roles}}' },
      // Nobody would report the end of an alarm that was removed.
      status: {
        template: '{{webhook.status}}',
        values: { removed: 'resolved', undefined: 'update', uninitialized: 'update' },
      },
      // The time of the event grows from a problem to its end, and to the next problem.
      occurrence: { template: '{{webhook.when}}' },
      // The id of an alarm changes when Netdata restarts without its database; the names stay.
      dedupKey: { expression: keyOf('webhook.host', 'webhook.chart', 'webhook.name') },
    },
    custom: {
      host: { template: '{{webhook.host}}' },
      link: { template: '{{webhook.goto_url}}' },
    },
  },
  expected: [
    {
      title: 'disk space usage of disk_space._srv on cache-4',
      severity: 'critical',
      description: 'space utilization of the disk /srv: 98.4%',
      source: 'Netdata',
      service: 'disk_space._srv',
      team: 'sysadmin',
      status: 'firing',
      occurrence: '1770113640',
      dedupKey: 'cache-4/disk_space._srv/disk_space_usage',
    },
  ],
} satisfies CatalogueSource;
