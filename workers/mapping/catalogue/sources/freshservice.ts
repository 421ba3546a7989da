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
  mapping: {
    fields: {
      title: {
        template: '{{webhook.freshdesk_webhook.ticket_id}}: {{webhook.freshdesk_webhook.ticket_subject}}',
      },
      // From 1, low, to 4, urgent, as a number or a word.
      severity: {
        template: '{{webhook.freshdesk_webhook.ticket_priority}}',
        values: { ...SEVERITIES, 1: 'info', 2: 'warning', 3: 'error', 4: 'critical', urgent: 'critical' },
        default: 'warning',
      },
      description: {
        template: '{{webhook.freshdesk_webhook.ticket_description|webhook.freshdesk_webhook.ticket_subject}}',
      },
      source: { template: 'Freshservice' },
      team: { template: '{{webhook.freshdesk_webhook.ticket_company_name}}' },
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
    },
  ],
} satisfies CatalogueSource;
