import { PRIORITIES, SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'elastalert',
  title: 'ElastAlert (HTTP POST)',
  documentation: 'https://elastalert2.readthedocs.io/en/latest/alerts.html#http-post',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'In the rule, http_post2_headers: X-Muster-Token',
  },
  sample: {
    event_type: 'create',
    Id: '71',
    Title: 'Logins fail',
    Description: '40 failed logins in 5 minutes',
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.Title|webhook.title|webhook.alert_subject|webhook.rule_name|webhook.message|webhook.Description|webhook.description|webhook.alert_text}}',
      },
      // Each rule defines its own body, and only some include a severity.
      severity: {
        template: '{{webhook.Severity|webhook.severity|webhook.priority|webhook.alarm_level}}',
        values: { ...SEVERITIES, ...PRIORITIES },
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.Description|webhook.description|webhook.alert_text|webhook.message|webhook.Title|webhook.title|webhook.rule_name}}',
      },
      source: { template: 'ElastAlert' },
      // A body with the whole match has the fields of the Elastic Common Schema.
      service: {
        expression:
          'first(webhook.Service, webhook.service.name, webhook["service.name"], type(webhook.service) == string ? webhook.service : "")',
      },
      environment: {
        expression:
          'first(webhook.Environment, webhook.service.environment, webhook["service.environment"], webhook.environment)',
      },
      // No dedupKey: each match is an event of its own, and ElastAlert reports no recovery.
    },
    // It retries after a timeout, and its webhook has no delivery id.
    repeatWindowSeconds: 300,
    custom: { event: { template: '{{webhook.event_type}}' }, id: { template: '{{webhook.Id}}' } },
  },
  expected: [
    {
      title: 'Logins fail',
      severity: 'warning',
      description: '40 failed logins in 5 minutes',
      source: 'ElastAlert',
    },
  ],
} satisfies CatalogueSource;
