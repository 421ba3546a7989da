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
    // The id of an alert is never used again.
    final: true,
    fields: {
      title: { template: '{{webhook.alertName|webhook.alertDescription}}' },
      // 0 is information, 1 warning, 2 critical.
      severity: {
        template: '{{webhook.severity}}',
        values: { ...SEVERITIES, 0: 'info', 1: 'warning', 2: 'critical' },
        default: 'error',
      },
      // Scripts write "np" for what is not provided.
      description: {
        expression:
          'webhook.alertDescription == "np" ? webhook.alertName : first(webhook.alertDescription, webhook.alertName)',
      },
      source: { template: 'Microsoft SCOM' },
      service: { template: '{{webhook.managedEntitySource}}' },
      status: {
        template: '{{webhook.resolutionState}}',
        values: {
          0: 'firing',
          254: 'resolved',
          255: 'resolved',
          247: 'update',
          248: 'update',
          249: 'update',
          250: 'update',
          'awaiting evidence': 'update',
          'assigned to engineering': 'update',
          acknowledged: 'update',
          scheduled: 'update',
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
