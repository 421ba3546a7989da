import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'scom',
  title: 'Microsoft SCOM',
  documentation: 'https://learn.microsoft.com/system-center/scom/manage-alert-generation',
  sample: {
    owner: 'nobody',
    lastModified: '2/3/2026 10:20:00 AM',
    resolutionState: 'New',
    timeRaised: '2/3/2026 10:20:00 AM',
    category: 'PerformanceHealth',
    alertId: '{00000000-6666-4777-8888-aaaaaaaaaaaa}',
    alertName: 'Memory is running out',
    priority: '2',
    severity: '1',
    createdByMonitor: 'true',
    repeatCount: '3',
    alertDescription: 'Less than 100 MB are free.',
    managedEntitySource: 'SRV-9.example.com',
  },
  recovery: { resolutionState: 'Closed', lastModified: '2/3/2026 10:30:00 AM' },
  mapping: {
    fields: {
      title: { template: '{{webhook.alertName|webhook.alertDescription}}' },
      // 0 is information, 1 warning, 2 critical.
      severity: {
        template: '{{webhook.severity}}',
        values: { ...SEVERITIES, 0: 'info', 1: 'warning', 2: 'critical' },
        default: 'error',
      },
      description: { template: '{{webhook.alertDescription|webhook.alertName}}' },
      source: { template: 'Microsoft SCOM' },
      service: { template: '{{webhook.managedEntitySource}}' },
      status: {
        template: '{{webhook.resolutionState}}',
        values: {
          0: 'firing',
          254: 'resolved',
          255: 'resolved',
          'assigned to engineering': 'firing',
          'awaiting evidence': 'firing',
          scheduled: 'firing',
        },
      },
      // The id of the alert. Resolution states have names or numbers; 255 is closed, 254 resolved.
      dedupKey: { template: '{{webhook.alertId}}' },
    },
    custom: {
      state: { template: '{{webhook.resolutionState}}' },
      category: { template: '{{webhook.category}}' },
    },
  },
  expected: [
    {
      title: 'Memory is running out',
      severity: 'warning',
      description: 'Less than 100 MB are free.',
      source: 'Microsoft SCOM',
      service: 'SRV-9.example.com',
      status: 'firing',
      dedupKey: '{00000000-6666-4777-8888-aaaaaaaaaaaa}',
    },
  ],
} satisfies CatalogueSource;
