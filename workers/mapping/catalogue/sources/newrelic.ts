import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'newrelic',
  title: 'New Relic workflow',
  documentation: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Alerts → Destinations → Webhook → Use authorization or custom headers: X-Muster-Token',
  },
  sample: {
    id: '0a1b2c3d-0000-4000-8000-000000000002',
    issueUrl: 'https://one.newrelic.com/issue/0a1b2c3d',
    title: "Apdex < 0.7 for at least 10 minutes on 'storefront'",
    priority: 'CRITICAL',
    impactedEntities: ['storefront'],
    totalIncidents: 1,
    state: 'ACTIVATED',
    trigger: 'STATE_CHANGE',
    isCorrelated: false,
    createdAt: 1770113640000,
    updatedAt: 1770113640000,
    sources: ['newrelic'],
    alertPolicyNames: ['Storefront'],
    alertConditionNames: ['Apdex (low)'],
    workflowName: 'To Muster',
  },
  recovery: { state: 'CLOSED', trigger: 'INCIDENT_CLOSED' },
  mapping: {
    // An issue is closed for ever: the next problem is a new issue.
    final: true,
    fields: {
      title: { template: '{{webhook.title|webhook.alertConditionNames[0]|webhook.alertPolicyNames[0]}}' },
      severity: { template: '{{webhook.priority}}', values: SEVERITIES, default: 'error' },
      description: {
        template:
          '{{webhook.title|webhook.alertConditionNames[0]|webhook.alertPolicyNames[0]}}{{#webhook.alertConditionNames}} ({{.}}){{/webhook.alertConditionNames}}',
      },
      source: { template: 'New Relic' },
      service: { template: '{{webhook.impactedEntities[0]|webhook.entitiesData.names[0]}}' },
      status: { template: '{{webhook.state}}', values: { acknowledged: 'update' } },
      // The issue. Without an id, its URL may end with it.
      dedupKey: {
        expression:
          'first(webhook.id, webhook.issueId, webhook.issue_id, extract(webhook.issueUrl, "/issues/([0-9a-fA-F-]{36})"))',
      },
    },
    custom: {
      state: { template: '{{webhook.state}}' },
      policy: { template: '{{webhook.alertPolicyNames[0]}}' },
      link: { template: '{{webhook.issueUrl}}' },
    },
  },
  expected: [
    {
      title: "Apdex < 0.7 for at least 10 minutes on 'storefront'",
      severity: 'critical',
      description: "Apdex < 0.7 for at least 10 minutes on 'storefront' (Apdex (low))",
      source: 'New Relic',
      service: 'storefront',
      status: 'firing',
      dedupKey: '0a1b2c3d-0000-4000-8000-000000000002',
    },
  ],
} satisfies CatalogueSource;
