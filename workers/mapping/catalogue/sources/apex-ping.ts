import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'apex-ping',
  title: 'Apex Ping',
  documentation: 'https://pagertree.com/docs/integration-guides/apex-ping',
  sample: {
    triggered_at: '2026-02-03T10:20:00.000000000Z',
    state: 'triggered',
    alert: { id: 3, type: 'time_total', stat: 'max', window_duration: 10, value: 900, op: 'gt' },
    check: {
      id: 14,
      name: 'Blog',
      method: 'GET',
      protocol: 'https',
      url: 'blog.example.com',
      apdex_threshold: 500,
    },
    value: 1210,
  },
  recovery: { state: 'resolved', value: 700 },
  mapping: {
    fields: {
      title: {
        expression:
          'first(first(webhook.check.name, webhook.check.url) + ": " + first({"time_total": "response time"}[webhook.alert.type], webhook.alert.type.replace("_", " ")), webhook.check.name, webhook.check.url)',
      },
      severity: {
        template: '{{webhook.state}}',
        values: { triggered: 'error', resolved: 'info' },
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.alert.stat + " of " + webhook.alert.type + " is " + string(webhook.value), "The value is " + string(webhook.value), webhook.state) + first(" (threshold " + string(webhook.alert.value) + ")", "")',
      },
      source: { template: 'Apex Ping' },
      service: { template: '{{webhook.check.name}}' },
      status: { template: '{{webhook.state}}' },
      // A rule of a check.
      dedupKey: { expression: keyOf('webhook.check.id', 'webhook.alert.id') },
    },
    custom: { link: { template: '{{webhook.check.url}}' } },
  },
  expected: [
    {
      title: 'Blog: response time',
      severity: 'error',
      description: 'max of time_total is 1210 (threshold 900)',
      source: 'Apex Ping',
      service: 'Blog',
      status: 'firing',
      dedupKey: '14/3',
    },
  ],
} satisfies CatalogueSource;
