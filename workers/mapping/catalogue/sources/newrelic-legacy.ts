import { keyOf, part } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'newrelic-legacy',
  title: 'New Relic (legacy notification channel)',
  documentation:
    'https://docs.newrelic.com/docs/alerts/new-relic-alerts/managing-notification-channels/customize-your-webhook-payload/',
  sample: {
    account_id: 404,
    account_name: 'Example',
    condition_id: 12,
    condition_name: 'Error rate',
    current_state: 'open',
    details: 'Error rate above 5%',
    event_type: 'INCIDENT',
    incident_id: 61,
    incident_url: 'https://alerts.newrelic.com/accounts/404/incidents/61',
    owner: '',
    policy_name: 'Back office',
    policy_url: 'https://alerts.newrelic.com/accounts/404/policies/3',
    runbook_url: '',
    severity: 'CRITICAL',
    targets: [{ id: '9', name: 'back-office', type: 'Application', product: 'APM', labels: {}, link: '' }],
    timestamp: 1770113640000,
  },
  otherSamples: [
    {
      incident_id: 61,
      incident_url: 'https://alerts.newrelic.com/accounts/404/incidents/61',
      incident_acknowledge_url: 'https://alerts.newrelic.com/accounts/404/incidents/61/acknowledge',
      condition_name: 'Error rate',
      policy_name: 'Back office',
      details: 'Error rate above 5%',
      current_state: 'open',
      timestamp: 1770113640000,
    },
  ],
  recovery: { current_state: 'closed', details: 'Error rate below 5%' },
  mapping: {
    // An incident is closed for ever: the next problem is a new incident.
    final: true,
    fields: {
      title: { template: '{{webhook.condition_name|webhook.policy_name|webhook.details}}' },
      severity: { template: '{{webhook.severity}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.details|webhook.condition_name}}' },
      source: { template: 'New Relic' },
      service: { template: '{{webhook.targets[0].name}}' },
      // The Test button of a channel sends an incident of the product TESTING.
      status: {
        expression:
          'first(webhook.targets[0].product, "") == "TESTING" ? "test" : first(webhook.current_state, extract(webhook.event_type, "^INCIDENT_(.+)$"))',
        values: { acknowledged: 'update' },
      },
      // The incident of an account. A payload without the account usually has a URL with it; incidents have ids of their own anyway.
      dedupKey: {
        expression: `first(${keyOf('first(webhook.account_id, extract(webhook.incident_url, "/accounts/([0-9]+)/"))', 'webhook.incident_id')}, ${part('webhook.incident_id')})`,
      },
    },
    custom: {
      state: { template: '{{webhook.current_state}}' },
      policy: { template: '{{webhook.policy_name}}' },
      link: { template: '{{webhook.incident_url}}' },
    },
  },
  expected: [
    {
      title: 'Error rate',
      severity: 'critical',
      description: 'Error rate above 5%',
      source: 'New Relic',
      service: 'back-office',
      status: 'firing',
      dedupKey: '404/61',
    },
  ],
} satisfies CatalogueSource;
