import { PRIORITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'opsgenie',
  title: 'Opsgenie',
  documentation: 'https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Settings → Integrations → Webhook → Add custom headers: X-Muster-Token',
  },
  sample: {
    action: 'Create',
    alert: {
      alertId: '00000000-1111-4222-8333-444444444444-1770113640000',
      message: 'Search index is behind',
      description: 'The index is 20 minutes behind the orders.',
      tags: ['search', 'env:production'],
      tinyId: '912',
      source: 'indexer@example.com',
      entity: 'search-index',
      alias: 'search-index-lag',
      createdAt: 1770113640000,
      updatedAt: 1770113640000000000,
      username: 'indexer@example.com',
      teams: ['Search'],
      priority: 'P2',
    },
    source: { name: '', type: 'API' },
    integrationId: '55555555-6666-4777-8888-999999999999',
    integrationName: 'Webhook',
  },
  recovery: { action: 'Close' },
  mapping: {
    // The id of an alert is never used again.
    final: true,
    fields: {
      title: { template: '{{webhook.alert.message|webhook.alert.description}}' },
      severity: {
        template: '{{webhook.alert.priority}}',
        values: { ...PRIORITIES, 1: 'critical', 2: 'error', 3: 'warning', 4: 'info', 5: 'info' },
        default: 'warning',
      },
      description: { template: '{{webhook.alert.description|webhook.alert.message}}' },
      source: { template: 'Opsgenie' },
      service: { template: '{{webhook.alert.entity}}' },
      environment: {
        template:
          '{{webhook.alert.tags.env|webhook.alert.tags.environment|webhook.alert.details.environment}}',
      },
      team: { template: '{{webhook.alert.teams[0]}}' },
      // Another text or priority shows on the alert while it is open. Everything else that people do with it neither opens nor ends it.
      status: {
        expression:
          'webhook.action in ["Create", "UpdatePriority", "UpdateMessage", "UpdateDescription"] ? "firing" : webhook.action in ["Close", "Delete"] ? "resolved" : "update"',
      },
      dedupKey: { template: '{{webhook.alert.alertId}}' },
    },
    custom: {
      action: { template: '{{webhook.action}}' },
      alias: { template: '{{webhook.alert.alias}}' },
      number: { template: '{{webhook.alert.tinyId}}' },
    },
  },
  expected: [
    {
      title: 'Search index is behind',
      severity: 'error',
      description: 'The index is 20 minutes behind the orders.',
      source: 'Opsgenie',
      service: 'search-index',
      environment: 'production',
      team: 'Search',
      status: 'firing',
      dedupKey: '00000000-1111-4222-8333-444444444444-1770113640000',
    },
  ],
} satisfies CatalogueSource;
