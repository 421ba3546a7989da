import type { CatalogueSource } from '../source.js';

export default {
  name: 'zendesk',
  title: 'Zendesk ticket',
  documentation: 'https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/',
  signature: {
    scheme: 'zendesk',
    setup: 'Admin Center → Apps and integrations → Webhooks → your webhook → Reveal secret',
  },
  sample: {
    type: 'zen:event-type:ticket.created',
    account_id: 70001,
    id: '00000000-3333-4444-8555-777777777777',
    time: '2026-02-03T10:20:00Z',
    zendesk_event_version: '2022-11-06',
    subject: 'zen:ticket:5150',
    detail: {
      id: '5150',
      subject: 'Nobody can pay',
      description: 'The payment page stays white.',
      priority: 'URGENT',
      status: 'NEW',
      type: 'INCIDENT',
      group_id: '31',
      organization_id: '32',
      tags: ['payments'],
      via: { channel: 'web_service' },
    },
    event: {},
  },
  otherSamples: [
    {
      id: '911',
      event_type: 'create',
      title: 'The printer is on fire',
      description: 'It smells.',
      link: 'https://example.zendesk.com/agent/tickets/911',
      priority: 'Urgent',
      ticket_type: 'Incident',
      via: 'Web form',
    },
  ],
  recovery: {
    type: 'zen:event-type:ticket.status_changed',
    time: '2026-02-03T11:20:00Z',
    detail: { status: 'SOLVED' },
  },
  mapping: {
    fields: {
      // The `subject` of a native event is an id, such as `zen:ticket:5150`.
      title: {
        expression:
          'first(webhook.detail.subject, webhook.title, webhook.subject.startsWith("zen:") ? "" : webhook.subject, webhook.detail.description, webhook.description)',
      },
      severity: {
        template: '{{webhook.detail.priority|webhook.priority}}',
        values: { urgent: 'critical', high: 'error', normal: 'warning', low: 'info' },
        default: 'warning',
      },
      description: {
        template: '{{webhook.detail.description|webhook.description|webhook.detail.subject|webhook.title}}',
      },
      source: { template: 'Zendesk' },
      service: { template: '{{webhook.detail.tags[0]}}' },
      team: { template: '{{webhook.detail.group_id}}' },
      // Comments, tags and the like neither open nor end a ticket. The JSON of a trigger has no type.
      status: {
        expression:
          'first(webhook.type, "").matches("deleted$|marked_as_spam$|ticket_merged$|ticket[.]merged$") ? "resolved" : !first(webhook.type, "").startsWith("zen:") || webhook.type.matches("[.](created|status_changed|custom_status_changed|priority_changed|undeleted)$") ? first(webhook.detail.status, webhook.status, webhook.event_type) : "update"',
        values: {
          create: 'firing',
          pending: 'firing',
          hold: 'firing',
          'on-hold': 'firing',
          deleted: 'resolved',
        },
      },
      // The time of the event; Zendesk does not deliver in order.
      occurrence: { template: '{{webhook.time}}' },
      // The ticket. The `id` of a native event is that of the event.
      dedupKey: { template: '{{webhook.detail.id|webhook.id}}' },
    },
    custom: {
      event: { template: '{{webhook.type|webhook.event_type}}' },
      ticket: { template: '{{webhook.detail.id|webhook.id}}' },
      status: { template: '{{webhook.detail.status|webhook.status}}' },
    },
  },
  expected: [
    {
      title: 'Nobody can pay',
      severity: 'critical',
      description: 'The payment page stays white.',
      source: 'Zendesk',
      service: 'payments',
      team: '31',
      status: 'firing',
      dedupKey: '5150',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
