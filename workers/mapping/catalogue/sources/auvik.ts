import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'auvik',
  title: 'Auvik',
  documentation: 'https://support.auvik.com/hc/en-us/articles/360031007111',
  sample: {
    entityId: 'NDA0',
    subject: 'A switch is offline',
    alertStatusString: 'Triggered',
    alertId: 'MTE=',
    alertName: 'Device offline',
    entityName: 'switch-2',
    companyName: 'Example',
    entityType: 'device',
    date: '2026-02-03T10:20:00.000Z',
    link: 'https://example.my.auvik.com/alert/11/summary',
    alertStatus: 0,
    correlationId: 'MTE=',
    alertDescription: 'switch-2 has not been seen for 10 minutes',
    alertSeverityString: 'Critical',
    alertSeverity: 2,
    companyId: '5',
  },
  recovery: { alertStatus: 1, alertStatusString: 'Cleared', date: '2026-02-03T10:40:00.000Z' },
  mapping: {
    fields: {
      title: { template: '{{webhook.alertName|webhook.subject|webhook.alertDescription}}' },
      severity: {
        template: '{{webhook.alertSeverityString|webhook.alertSeverity}}',
        values: { ...SEVERITIES, 1: 'critical', 2: 'critical', 3: 'warning', 4: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.alertDescription|webhook.alertName|webhook.subject}}' },
      source: { template: 'Auvik' },
      service: { template: '{{webhook.entityName}}' },
      team: { template: '{{webhook.companyName}}' },
      status: {
        template: '{{webhook.alertStatus|webhook.alertStatusString}}',
        values: { 0: 'firing', 1: 'resolved' },
      },
      occurrence: { template: '{{webhook.date}}' },
      // `correlationId` is the same for an alert and its clearing.
      dedupKey: { template: '{{webhook.correlationId|webhook.alertId}}' },
    },
    custom: {
      status: { template: '{{webhook.alertStatusString}}' },
      link: { template: '{{webhook.link}}' },
    },
  },
  expected: [
    {
      title: 'Device offline',
      severity: 'critical',
      description: 'switch-2 has not been seen for 10 minutes',
      source: 'Auvik',
      service: 'switch-2',
      team: 'Example',
      status: 'firing',
      dedupKey: 'MTE=',
      occurrence: '2026-02-03T10:20:00.000Z',
    },
  ],
} satisfies CatalogueSource;
