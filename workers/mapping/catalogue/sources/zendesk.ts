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
  recovery: { type: 'zen:event-type:ticket.status_changed', detail: { status: 'SOLVED' } },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.detail.subject|webhook.subject|webhook.title|webhook.detail.description|webhook.description}}',
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
      status: {
        template: '{{webhook.detail.status|webhook.status}}',
        values: { pending: 'firing', hold: 'firing', 'on-hold': 'firing', deleted: 'resolved' },
      },
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
    },
  ],
} satisfies CatalogueSource;
