import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'freshservice',
  title: 'Freshservice ticket',
  documentation: 'https://support.freshservice.com/support/solutions/articles/174052',
  sample: {
    freshdesk_webhook: {
      ticket_id: 'INC-44',
      ticket_subject: 'The printer service is down',
      ticket_description: 'Nobody on floor 2 can print.',
      ticket_priority: 3,
      ticket_status: 2,
      ticket_url: 'https://example.freshservice.com/helpdesk/tickets/44',
      ticket_source: 'Portal',
      ticket_requester_name: 'Kim Example',
      ticket_requester_email: 'kim@example.com',
      ticket_requester_phone: null,
      ticket_company_name: 'Example',
    },
  },
  recovery: { freshdesk_webhook: { ticket_status: 4 } },
  mapping: {
    fields: {
      title: {
        expression:
          'first(string(webhook.freshdesk_webhook.ticket_id) + ": " + webhook.freshdesk_webhook.ticket_subject, webhook.freshdesk_webhook.ticket_subject, webhook.freshdesk_webhook.ticket_description)',
      },
      // From 1, low, to 4, urgent, as a number or a word.
      severity: {
        template: '{{webhook.freshdesk_webhook.ticket_priority}}',
        values: { ...SEVERITIES, 1: 'info', 2: 'warning', 3: 'error', 4: 'critical', urgent: 'critical' },
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.freshdesk_webhook.ticket_description_text|webhook.freshdesk_webhook.ticket_description|webhook.freshdesk_webhook.ticket_subject}}',
      },
      source: { template: 'Freshservice' },
      team: { template: '{{webhook.freshdesk_webhook.ticket_company_name}}' },
      // As a number, 2 is open, 3 pending, 4 resolved, 5 closed, and more are states of one's own. A new ticket is a problem in
      // whatever state a rule has put it; later a state of waiting, or a note, is news about it.
      status: {
        expression:
          'string(webhook.freshdesk_webhook.ticket_status).lowerAscii() in ["4", "5", "resolved", "closed"] ? "resolved" : first(webhook.freshdesk_webhook.triggered_event, "").contains("note") ? "update" : string(webhook.freshdesk_webhook.ticket_status).lowerAscii() in ["2", "open"] || first(webhook.freshdesk_webhook.triggered_event, "").contains("created") ? "firing" : "update"',
      },
      // The ticket.
      dedupKey: { template: '{{webhook.freshdesk_webhook.ticket_id}}' },
    },
    custom: {
      status: { template: '{{webhook.freshdesk_webhook.ticket_status}}' },
      link: { template: '{{webhook.freshdesk_webhook.ticket_url}}' },
    },
  },
  expected: [
    {
      title: 'INC-44: The printer service is down',
      severity: 'error',
      description: 'Nobody on floor 2 can print.',
      source: 'Freshservice',
      team: 'Example',
      status: 'firing',
      dedupKey: 'INC-44',
    },
  ],
} satisfies CatalogueSource;
