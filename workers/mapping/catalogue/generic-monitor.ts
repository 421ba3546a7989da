import type { CatalogueSource } from './source.js';

/** A monitor that fired on a resource, with a priority in place of a severity. */
export const genericMonitor: CatalogueSource = {
  name: 'generic-monitor',
  title: 'Generic monitor',
  documentation: null,
  sample: {
    monitor: { id: 'mon-204', status: 'ALERT', priority: 'P2' },
    resource: { name: 'search-7', type: 'virtual_machine', namespace: 'staging' },
    data: { threshold: 80, current_value: 88.5, duration: '10m' },
  },
  mapping: {
    split: null,
    fields: {
      title: { template: '{{webhook.resource.type}} {{webhook.resource.name}}: {{webhook.monitor.status}}' },
      severity: {
        template: '{{webhook.monitor.priority}}',
        values: { P1: 'critical', P2: 'error', P3: 'warning', P4: 'info', P5: 'info' },
      },
      description: {
        template:
          'Monitor {{webhook.monitor.id}}: {{webhook.data.current_value}} against {{webhook.data.threshold}} for {{webhook.data.duration}}',
      },
      source: { template: '{{webhook.source}}', default: 'generic-monitor' },
      service: { template: '{{webhook.resource.name}}' },
      environment: { template: '{{webhook.resource.namespace}}' },
    },
    custom: {},
  },
  expected: [
    {
      title: 'virtual_machine search-7: ALERT',
      severity: 'error',
      description: 'Monitor mon-204: 88.5 against 80 for 10m',
      source: 'generic-monitor',
      service: 'search-7',
      environment: 'staging',
    },
  ],
};
