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
      occurred_at: '2026-02-03T11:05:00.000Z',
      data: { status: 'resolved' },
    },
  },
  mapping: {
    // An incident is over for ever, until `incident.reopened`.
    final: true,
    // Changes of a service and runs of a workflow say nothing about a problem.
    filter:
      'first(webhook.event.event_type, webhook.messages[0].event, webhook.messages[0].type, "incident.").matches("^(incident[.]|pagey[.])") && !first(webhook.event.event_type, "").startsWith("incident.workflow")',
    // `messages` is that of webhooks v2 and v1, which are lists. Only the first message becomes an alert.
    fields: {
      title: {
        template:
          '{{webhook.event.data.title|webhook.event.data.description|webhook.event.data.incident.summary|webhook.messages[0].incident.title|webhook.messages[0].data.incident.trigger_summary_data.subject|webhook.messages[0].data.incident.trigger_summary_data.description|webhook.event.data.message|webhook.event.data.service.summary}}',
      },
      severity: {
        template:
          '{{webhook.event.data.priority.summary|webhook.event.data.urgency|webhook.messages[0].incident.priority.summary|webhook.messages[0].incident.urgency}}',
        values: { ...PRIORITIES, high: 'critical', low: 'warning' },
        default: 'error',
      },
      description: {
        expression:
          'first("Incident " + string(first(webhook.event.data.number, webhook.messages[0].incident.incident_number, webhook.messages[0].data.incident.incident_number)) + " of " + first(webhook.event.data.service.summary, webhook.messages[0].incident.service.summary, webhook.messages[0].incident.service.name, webhook.messages[0].data.incident.service.name), webhook.event.data.content, webhook.event.data.message, webhook.event.data.title) + (has(webhook.messages) && size(webhook.messages) > 1 ? ", the first of " + string(size(webhook.messages)) + " messages" : "")',
      },
      source: { template: 'PagerDuty' },
      service: {
        template:
          '{{webhook.event.data.service.summary|webhook.messages[0].incident.service.summary|webhook.messages[0].incident.service.name|webhook.messages[0].data.incident.service.name}}',
      },
      team: {
        template:
          '{{webhook.event.data.teams[0].summary|webhook.event.data.escalation_policy.summary|webhook.messages[0].incident.teams[0].summary|webhook.messages[0].incident.escalation_policy.summary|webhook.messages[0].data.incident.escalation_policy.name}}',
      },
      // A priority is set while the incident is open. Whatever else people do with it is news, and so is a note.
      status: {
        expression:
          'first({"incident.triggered": "firing", "incident.trigger": "firing", "incident.priority_updated": "firing", "incident.reopened": "reopened", "incident.resolved": "resolved", "incident.resolve": "resolved", "pagey.ping": "test"}[first(webhook.event.event_type, webhook.messages[0].event, webhook.messages[0].type)], "update")',
      },
      // When it was opened or closed. News after the end must not make the end look old.
      occurrence: {
        expression:
          'first(webhook.event.event_type, webhook.messages[0].event, webhook.messages[0].type).matches("[.](trigger|resolve|reopen)") ? first(webhook.event.occurred_at, webhook.messages[0].created_on) : ""',
      },
      // Notes and status updates are records of their own, which name their incident.
      dedupKey: {
        expression:
          'first(webhook.event.data.incident.id, webhook.event.data.type == "incident" ? webhook.event.data.id : "", webhook.messages[0].incident.id, webhook.messages[0].data.incident.id)',
      },
    },
    custom: {
      event: { template: '{{webhook.event.event_type|webhook.messages[0].event|webhook.messages[0].type}}' },
      number: { template: '{{webhook.event.data.number|webhook.messages[0].incident.incident_number}}' },
      link: {
        template:
          '{{webhook.event.data.incident.html_url|webhook.event.data.html_url|webhook.messages[0].incident.html_url|webhook.messages[0].data.incident.html_url}}',
      },
    },
  },
  expected: [
    {
      title: 'The nightly export did not run',
      severity: 'error',
      description: 'Incident 71 of Exports',
      source: 'PagerDuty',
      service: 'Exports',
      team: 'Data platform',
      status: 'firing',
      occurrence: '2026-02-03T10:20:00.000Z',
      dedupKey: 'QEXAMPLE1',
    },
  ],
} satisfies CatalogueSource;
