import { PRIORITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'pagerduty',
  title: 'PagerDuty (webhooks v3)',
  documentation: 'https://developer.pagerduty.com/docs/webhooks-overview',
  signature: {
    scheme: 'pagerduty',
    setup: 'Integrations → Generic Webhooks (v3) → New Webhook. The signing secret is shown once',
  },
  sample: {
    event: {
      id: '01EXAMPLE0000000000000000A',
      event_type: 'incident.triggered',
      resource_type: 'incident',
      occurred_at: '2026-02-03T10:20:00.000Z',
      agent: { id: 'PEXAMPL', type: 'service_reference', summary: 'Nightly export' },
      client: null,
      data: {
        id: 'QEXAMPLE1',
        type: 'incident',
        html_url: 'https://example.pagerduty.com/incidents/QEXAMPLE1',
        number: 71,
        status: 'triggered',
        title: 'The nightly export did not run',
        service: { id: 'PSERV01', type: 'service_reference', summary: 'Exports' },
        assignees: [{ id: 'PUSER01', type: 'user_reference', summary: 'Kim Example' }],
        escalation_policy: { id: 'PESC001', type: 'escalation_policy_reference', summary: 'Data' },
        teams: [{ id: 'PTEAM01', type: 'team_reference', summary: 'Data platform' }],
        priority: { id: 'PPRIO02', type: 'priority_reference', summary: 'P2' },
        urgency: 'high',
      },
    },
  },
  recovery: {
    event: {
      id: '01EXAMPLE0000000000000000B',
      event_type: 'incident.resolved',
      data: { status: 'resolved' },
    },
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.event.data.title|webhook.event.data.description|webhook.event.data.service.summary}}',
      },
      severity: {
        template: '{{webhook.event.data.priority.summary|webhook.event.data.urgency}}',
        values: { ...PRIORITIES, high: 'critical', low: 'warning' },
        default: 'error',
      },
      description: {
        template:
          '{{webhook.event.data.title}} ({{webhook.event.data.status}}){{#webhook.event.data.service.summary}} on {{.}}{{/webhook.event.data.service.summary}}',
      },
      source: { template: 'PagerDuty' },
      service: { template: '{{webhook.event.data.service.summary}}' },
      team: {
        template: '{{webhook.event.data.teams[0].summary|webhook.event.data.escalation_policy.summary}}',
      },
      status: { template: '{{webhook.event.data.status}}' },
      // The incident. Notes and status updates may follow its end, and their data is not the incident.
      dedupKey: { expression: 'webhook.event.data.type == "incident" ? webhook.event.data.id : ""' },
    },
    custom: {
      event: { template: '{{webhook.event.event_type}}' },
      number: { template: '{{webhook.event.data.number}}' },
      link: { template: '{{webhook.event.data.html_url}}' },
    },
  },
  expected: [
    {
      title: 'The nightly export did not run',
      severity: 'error',
      description: 'The nightly export did not run (triggered) on Exports',
      source: 'PagerDuty',
      service: 'Exports',
      team: 'Data platform',
      status: 'firing',
      dedupKey: 'QEXAMPLE1',
    },
  ],
} satisfies CatalogueSource;
