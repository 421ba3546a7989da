import { keyOf, part } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'cronitor',
  title: 'Cronitor',
  documentation: 'https://cronitor.io/docs/webhooks',
  sample: {
    id: 'aB3dE9',
    monitor: 'Invoice run',
    type: 'Alert',
    rule: 'not_on_schedule',
    description: 'Did not start at the expected time.\nSchedule: every night',
  },
  recovery: { type: 'Recovery', rule: 'recovered', description: 'Started on schedule' },
  mapping: {
    fields: {
      title: { template: '{{webhook.monitor|webhook.description|webhook.rule}}' },
      severity: {
        template: '{{webhook.type}}',
        values: { alert: 'error', recovery: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.description|webhook.rule}}' },
      source: { template: 'Cronitor' },
      service: { template: '{{webhook.group|webhook.monitor}}' },
      environment: { template: '{{webhook.environment}}' },
      status: { template: '{{webhook.type}}' },
      // The monitor, which recovers in each of its environments.
      dedupKey: { expression: `first(${keyOf('webhook.id', 'webhook.environment')}, ${part('webhook.id')})` },
    },
    custom: {
      rule: { template: '{{webhook.rule}}' },
      monitor: { template: '{{webhook.id}}' },
      link: { template: '{{webhook.issue_url|webhook.monitor_url}}' },
    },
  },
  expected: [
    {
      title: 'Invoice run',
      severity: 'error',
      description: 'Did not start at the expected time.\nSchedule: every night',
      source: 'Cronitor',
      service: 'Invoice run',
      status: 'firing',
      dedupKey: 'aB3dE9',
    },
  ],
} satisfies CatalogueSource;
