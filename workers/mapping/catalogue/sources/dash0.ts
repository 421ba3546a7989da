import type { CatalogueSource } from '../source.js';

export default {
  name: 'dash0',
  title: 'Dash0',
  documentation: 'https://www.dash0.com/documentation/dash0/alerting',
  sample: {
    type: 'alert.ongoing',
    data: {
      issue: {
        id: '00000000-4444-4555-8666-888888888888',
        issueIdentifier: '404',
        dataset: 'default',
        start: '2026-02-03T10:20:00.000000000Z',
        status: 'critical',
        summary: 'Too many errors are logged',
        description: 'More than 50 a minute.',
        labels: [
          { key: 'service.name', value: { stringValue: 'invoices' } },
          { key: 'deployment.environment.name', value: { stringValue: 'production' } },
        ],
        annotations: [],
        checkrules: [
          { id: '1', version: 1, name: 'Errors in logs', thresholds: { degraded: 10, failed: 50 } },
        ],
        url: 'https://app.dash0.com/alerting/failed-checks',
      },
    },
  },
  recovery: {
    type: 'alert.resolved',
    data: { issue: { status: 'resolved', end: '2026-02-03T10:30:00.000000000Z' } },
  },
  mapping: {
    final: true,
    fields: {
      title: {
        template:
          '{{webhook.data.issue.summary|webhook.data.issue.checkrules[0].name|webhook.data.issue.description}}',
      },
      severity: {
        template: '{{webhook.data.issue.status}}',
        values: { critical: 'critical', degraded: 'warning', resolved: 'info' },
        default: 'error',
      },
      description: {
        template:
          '{{webhook.data.issue.description|webhook.data.issue.summary|webhook.data.issue.checkrules[0].name}}',
      },
      source: { template: 'Dash0' },
      service: { template: '{{webhook.data.issue.labels["service.name"].stringValue}}' },
      environment: {
        template:
          '{{webhook.data.issue.labels["deployment.environment.name"].stringValue|webhook.data.issue.labels["deployment.environment"].stringValue}}',
      },
      // An issue is superseded if its rule changes, and closed by a person.
      status: {
        template: '{{webhook.type|webhook.data.issue.status}}',
        values: {
          'alert.ongoing': 'firing',
          'alert.resolved': 'resolved',
          'alert.superseded': 'resolved',
          'alert.closed': 'resolved',
        },
      },
      // An issue keeps its id until it is over. The next one of the same rule and resource has another id.
      dedupKey: { template: '{{webhook.data.issue.id}}' },
    },
    custom: {
      rule: { template: '{{webhook.data.issue.checkrules[0].name}}' },
      link: { template: '{{webhook.data.issue.url}}' },
    },
  },
  expected: [
    {
      title: 'Too many errors are logged',
      severity: 'critical',
      description: 'More than 50 a minute.',
      source: 'Dash0',
      service: 'invoices',
      environment: 'production',
      status: 'firing',
      dedupKey: '00000000-4444-4555-8666-888888888888',
    },
  ],
} satisfies CatalogueSource;
