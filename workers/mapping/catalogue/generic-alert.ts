import type { CatalogueSource } from './source.js';

/** An alert beside where it comes from and its measurements. */
export const genericAlert: CatalogueSource = {
  name: 'generic-alert',
  title: 'Generic alert',
  documentation: null,
  sample: {
    alert: {
      name: 'Disk almost full',
      severity: 'warning',
      message: 'Volume data-1 is 91% full',
      timestamp: '2025-03-04T05:06:07Z',
    },
    metadata: { service: 'ledger', environment: 'staging', team: 'storage' },
    metrics: { disk_used: 91.2, inodes_used: 40.5 },
  },
  mapping: {
    split: null,
    fields: {
      title: { template: '{{webhook.alert.name}}' },
      severity: { template: '{{webhook.alert.severity}}' },
      description: { template: '{{webhook.alert.message}}' },
      source: { template: '{{webhook.source}}', default: 'generic-alert' },
      service: { template: '{{webhook.metadata.service}}' },
      environment: { template: '{{webhook.metadata.environment}}' },
      team: { template: '{{webhook.metadata.team}}' },
    },
    custom: {},
  },
  expected: [
    {
      title: 'Disk almost full',
      severity: 'warning',
      description: 'Volume data-1 is 91% full',
      source: 'generic-alert',
      service: 'ledger',
      environment: 'staging',
      team: 'storage',
    },
  ],
};
