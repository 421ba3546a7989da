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
    details: '',
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
  recovery: { level: 'OK', previousLevel: 'CRITICAL', message: 'Disk of db-3 is 40% full' },
  mapping: {
    fields: {
      title: { template: '{{webhook.message|webhook.details}}' },
      severity: { template: '{{webhook.level}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.details|webhook.message}}' },
      source: { template: 'Kapacitor' },
      service: { template: '{{webhook.data.series[0].tags.host}}' },
      status: { template: '{{webhook.level}}', values: { info: 'firing' } },
      // The id consists of the task and the group, unless the script sets another one.
      dedupKey: { template: '{{webhook.id}}' },
    },
    custom: { id: { template: '{{webhook.id}}' } },
  },
  expected: [
    {
      title: 'Disk of db-3 is 97% full',
      severity: 'critical',
      description: 'Disk of db-3 is 97% full',
      source: 'Kapacitor',
      service: 'db-3',
      status: 'firing',
      dedupKey: 'disk:host=db-3',
    },
  ],
} satisfies CatalogueSource;
