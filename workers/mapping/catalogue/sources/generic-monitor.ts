import { keyOf, shorterKeyOf } from '../keys.js';
import { PRIORITIES, SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'generic-monitor',
  title: 'Generic: monitor and resource',
  documentation: 'https://developer.harness.io/docs/ai-sre/alerts/webhooks/use-mustache-webhooks',
  sample: {
    monitor: { id: 'mon_404', status: 'ALERT', priority: 'P2' },
    resource: { name: 'search-node-1', type: 'virtual_machine', namespace: 'staging' },
    data: { threshold: 70, current_value: 71.25, duration: '10m' },
  },
  recovery: { monitor: { status: 'OK' }, data: { current_value: 40 } },
  mapping: {
    fields: {
      title: {
        expression:
          'first(webhook.monitor.name, string(webhook.monitor.id), "Monitor") + first(" on " + first(webhook.resource.type + " " + webhook.resource.name, webhook.resource.name), "")',
      },
      severity: {
        template: '{{webhook.monitor.priority}}',
        values: { ...SEVERITIES, ...PRIORITIES },
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.monitor.message, first(webhook.monitor.name, string(webhook.monitor.id), webhook.resource.name) + ": " + string(webhook.data.current_value) + first(" (threshold " + string(webhook.data.threshold) + ")", "") + first(" for " + string(webhook.data.duration), ""), webhook.monitor.name, webhook.monitor.id)',
      },
      source: { template: '{{webhook.source}}', default: 'Webhook' },
      service: { template: '{{webhook.resource.name}}' },
      environment: { template: '{{webhook.resource.namespace}}' },
      team: { template: '{{webhook.resource.team}}' },
      status: { template: '{{webhook.monitor.status}}' },
      // The monitor and the resource that it watches.
      dedupKey: {
        expression: `first(${keyOf('webhook.monitor.id', 'webhook.resource.namespace', 'webhook.resource.name')}, ${shorterKeyOf('webhook.monitor.id', 'webhook.resource.name')})`,
      },
    },
    custom: {
      monitor: { template: '{{webhook.monitor.id}}' },
      type: { template: '{{webhook.resource.type}}' },
    },
  },
  expected: [
    {
      title: 'mon_404 on virtual_machine search-node-1',
      severity: 'error',
      description: 'mon_404: 71.25 (threshold 70) for 10m',
      source: 'Webhook',
      service: 'search-node-1',
      environment: 'staging',
      status: 'firing',
      dedupKey: 'mon_404/staging/search-node-1',
    },
  ],
} satisfies CatalogueSource;
