import type { CatalogueSource } from '../source.js';

export default {
  name: 'pagerduty-events',
  title: 'PagerDuty events (Events API)',
  documentation: 'https://developer.pagerduty.com/docs/events-api-v2-overview',
  options:
    'In a program that sends to PagerDuty, set the URL to the webhook URL followed by /v2/enqueue. If it has an option for the host only, use the token of the webhook URL as the routing key',
  dropInPath: '/v2/enqueue',
  sample: {
    event_action: 'trigger',
    dedup_key: 'orders-db/replication-lag',
    payload: {
      summary: 'Replication of orders-db is 40 s behind',
      source: 'db-7.example.com',
      severity: 'warning',
      timestamp: '2026-02-03T10:20:00.000+0000',
      component: 'mariadb',
      group: 'orders',
      class: 'replication',
      custom_details: { lag_seconds: 40, environment: 'production' },
    },
    links: [{ href: 'https://example.com/runbooks/replication', text: 'Runbook' }],
    client: 'Sample monitor',
    client_url: 'https://monitor.example.com/checks/7',
  },
  otherSamples: [
    // Without a key: an acknowledgement or an end has no payload.
    { event_action: 'resolve', dedup_key: 'orders-db/replication-lag' },
    {
      event_action: 'change',
      payload: {
        summary: 'Release 2.4 of orders',
        source: 'ci.example.com',
        timestamp: '2026-02-03T10:00:00.000+0000',
        custom_details: { build: '812' },
      },
      links: [],
    },
    // Events API v1.
    {
      event_type: 'trigger',
      incident_key: 'orders-db/replication-lag',
      description: 'Replication of orders-db is 40 s behind',
      details: { lag_seconds: 40 },
      client: 'Sample monitor',
      client_url: 'https://monitor.example.com/checks/7',
      contexts: [{ type: 'link', href: 'https://example.com/runbooks/replication', text: 'Runbook' }],
    },
  ],
  recovery: { event_action: 'resolve' },
  mapping: {
    // A change, such as a release, makes no alert.
    filter: 'first(webhook.event_action, webhook.event_type, "") != "change"',
    fields: {
      title: { template: '{{webhook.payload.summary|webhook.description}}' },
      severity: {
        template: '{{webhook.payload.severity}}',
        values: { critical: 'critical', error: 'error', warning: 'warning', info: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.payload.summary|webhook.description}}' },
      source: { template: '{{webhook.payload.source|webhook.client}}', default: 'PagerDuty events' },
      service: { template: '{{webhook.payload.component}}' },
      environment: {
        template:
          '{{webhook.payload.custom_details.environment|webhook.payload.custom_details.env|webhook.details.environment}}',
      },
      // An acknowledgement changes no status. For senders that acknowledge what is over, make it `resolved`.
      status: {
        template: '{{webhook.event_action|webhook.event_type}}',
        values: { trigger: 'firing', acknowledge: 'update', resolve: 'resolved' },
      },
      dedupKey: { template: '{{webhook.dedup_key|webhook.incident_key}}' },
    },
    custom: {
      acknowledged: {
        expression: 'first(webhook.event_action, webhook.event_type, "") == "acknowledge" ? "yes" : ""',
      },
      group: { template: '{{webhook.payload.group}}' },
      class: { template: '{{webhook.payload.class}}' },
      client: { template: '{{webhook.client}}' },
      link: {
        template: '{{webhook.client_url|webhook.links[0].href|webhook.contexts[0].href}}',
      },
      details: { template: '{{webhook.payload.custom_details|webhook.details}}' },
    },
  },
  expected: [
    {
      title: 'Replication of orders-db is 40 s behind',
      severity: 'warning',
      description: 'Replication of orders-db is 40 s behind',
      source: 'db-7.example.com',
      service: 'mariadb',
      environment: 'production',
      status: 'firing',
      dedupKey: 'orders-db/replication-lag',
    },
  ],
} satisfies CatalogueSource;
