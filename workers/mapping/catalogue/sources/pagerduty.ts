import { PRIORITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** What happened. In v2 `event` is the text, in v1 it is called `type`. */
const EVENT = 'first(item.event.event_type, item.event, item.type)';

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
  otherSamples: [
    // What tests a subscription.
    {
      event: {
        id: '01EXAMPLE0000000000000000C',
        event_type: 'pagey.ping',
        resource_type: 'pagey',
        occurred_at: '2026-02-03T10:20:00.000Z',
        agent: null,
        client: null,
        data: { message: 'Hello from your friend Pagey!', type: 'ping' },
      },
    },
    {
      messages: [
        {
          event: 'incident.trigger',
          log_entries: [],
          id: '00000000-0000-4000-8000-000000000001',
          created_on: '2026-02-03T10:20:00Z',
          incident: {
            id: 'PEXAMPLE',
            incident_number: 71,
            title: 'The nightly export did not run',
            status: 'triggered',
            urgency: 'high',
            html_url: 'https://example.pagerduty.com/incidents/PEXAMPLE',
            service: { id: 'PSERV01', name: 'Exports', summary: 'Exports' },
          },
        },
      ],
    },
  ],
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
    // Each message of webhooks v2 and v1, which send lists, or the event of v3.
    split: 'messages|webhook',
    // Changes of a service and runs of a workflow say nothing about a problem.
    filter: `first(${EVENT}, "incident.").matches("^(incident[.]|pagey[.])") && !first(${EVENT}, "").startsWith("incident.workflow")`,
    fields: {
      title: {
        template:
          '{{item.event.data.title|item.event.data.description|item.event.data.incident.summary|item.incident.title|item.data.incident.trigger_summary_data.subject|item.data.incident.trigger_summary_data.description|item.event.data.message|item.event.data.service.summary}}',
      },
      severity: {
        template:
          '{{item.event.data.priority.summary|item.event.data.urgency|item.incident.priority.summary|item.incident.urgency}}',
        values: { ...PRIORITIES, high: 'critical', low: 'warning' },
        default: 'error',
      },
      description: {
        expression:
          'first("Incident " + string(first(item.event.data.number, item.incident.incident_number, item.data.incident.incident_number)) + " of " + first(item.event.data.service.summary, item.incident.service.summary, item.incident.service.name, item.data.incident.service.name), item.event.data.content, item.event.data.message, item.event.data.title, item.incident.title)',
      },
      source: { template: 'PagerDuty' },
      service: {
        template:
          '{{item.event.data.service.summary|item.incident.service.summary|item.incident.service.name|item.data.incident.service.name}}',
      },
      team: {
        template:
          '{{item.event.data.teams[0].summary|item.event.data.escalation_policy.summary|item.incident.teams[0].summary|item.incident.escalation_policy.summary|item.data.incident.escalation_policy.name}}',
      },
      // A priority is set while the incident is open. Whatever else people do with it is news, and so is a note.
      status: {
        expression: `first({"incident.triggered": "firing", "incident.trigger": "firing", "incident.priority_updated": "firing", "incident.reopened": "reopened", "incident.resolved": "resolved", "incident.resolve": "resolved", "pagey.ping": "test"}[${EVENT}], "update")`,
      },
      // When it was opened or closed. News after the end must not make the end look old.
      occurrence: {
        expression: `${EVENT}.matches("[.](trigger|resolve|reopen)") ? first(item.event.occurred_at, item.created_on) : ""`,
      },
      // Notes and status updates are records of their own, which name their incident.
      dedupKey: {
        expression:
          'first(item.event.data.incident.id, item.event.data.type == "incident" ? item.event.data.id : "", item.incident.id, item.data.incident.id)',
      },
    },
    custom: {
      event: { template: '{{item.event.event_type|item.event|item.type}}' },
      number: { template: '{{item.event.data.number|item.incident.incident_number}}' },
      link: {
        template:
          '{{item.event.data.incident.html_url|item.event.data.html_url|item.incident.html_url|item.data.incident.html_url}}',
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
