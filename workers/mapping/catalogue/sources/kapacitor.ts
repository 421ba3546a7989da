import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'kapacitor',
  title: 'Kapacitor',
  documentation: 'https://docs.influxdata.com/kapacitor/v1/reference/event_handlers/post/',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'In kapacitor.conf, [[httppost]] → headers: X-Muster-Token',
  },
  sample: {
    id: 'disk:host=db-3',
    level: 'CRITICAL',
    message: 'Disk of db-3 is 97% full',
    details: 'The volume of the database grows by 1% an hour.',
    time: '2026-02-03T10:20:00Z',
    previousLevel: 'WARNING',
    data: {
      series: [
        {
          name: 'disk',
          tags: { host: 'db-3' },
          columns: ['time', 'used'],
          values: [['2026-02-03T10:20:00Z', 97]],
        },
      ],
    },
  },
  otherSamples: [
    {
      id: 'disk:host=db-3',
      level: 'CRITICAL',
      message: 'Disk of db-3 is 97% full',
      details: 'The volume of the database grows by 1% an hour.',
      duration: 60000000000,
    },
  ],
  recovery: {
    level: 'OK',
    previousLevel: 'CRITICAL',
    time: '2026-02-03T10:40:00Z',
    message: 'Disk of db-3 is 40% full',
  },
  mapping: {
    fields: {
      // Unless the script sets another one, the message is the id and the level.
      title: {
        expression: 'first(webhook.message.replace(" is " + webhook.level, ""), webhook.message, webhook.id)',
      },
      severity: { template: '{{webhook.level}}', values: SEVERITIES, default: 'error' },
      // Unless the script sets others, the details are all of the data as JSON.
      description: {
        expression:
          'webhook.details.matches("^\\\\s*[{]") ? webhook.message : first(webhook.details, webhook.message)',
      },
      source: { template: 'Kapacitor' },
      service: { template: '{{webhook.data.series[0].tags.service|webhook.data.series[0].tags.host}}' },
      status: { template: '{{webhook.level}}', values: { info: 'firing' } },
      // The time of the point that changed the level.
      occurrence: { template: '{{webhook.time}}' },
      // The id consists of the task and the group, unless the script sets another one. With `noRecoveries` no end is sent.
      dedupKey: { expression: 'first(webhook.recoverable, true) ? webhook.id : ""' },
    },
    custom: { id: { template: '{{webhook.id}}' } },
  },
  expected: [
    {
      title: 'Disk of db-3 is 97% full',
      severity: 'critical',
      description: 'The volume of the database grows by 1% an hour.',
      source: 'Kapacitor',
      service: 'db-3',
      status: 'firing',
      dedupKey: 'disk:host=db-3',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
