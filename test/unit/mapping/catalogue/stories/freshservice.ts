import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const ticket = (
  ticket_id: string,
  ticket_status: number | string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  freshdesk_webhook: {
    ticket_id,
    ticket_subject: 'The lift is stuck',
    ticket_description: 'Between floors 3 and 4.',
    ticket_priority: 'Urgent',
    ticket_status,
    ticket_url: 'https://example.freshservice.com/helpdesk/tickets/1',
    ...more,
  },
});

const alert = {
  severity: 'critical',
  description: 'Between floors 3 and 4.',
  source: 'Freshservice',
  service: null,
  environment: null,
};

export default [
  {
    what: 'a ticket is opened, waits and is closed, and another one is opened',
    shape: 'https://support.freshservice.com/support/solutions/articles/174052',
    steps: [
      ['opened', ticket('INC-1', 2, { ticket_priority: 4 })],
      ['another ticket', ticket('INC-2', 2, { ticket_priority: 4 })],
      ['pending', ticket('INC-1', 3, { ticket_priority: 4 })],
      ['closed', ticket('INC-1', 5, { ticket_priority: 4 })],
      ['a state of one’s own', ticket('INC-1', 8, { ticket_priority: 4 })],
    ],
    alerts: [
      {
        ...alert,
        title: 'INC-1: The lift is stuck',
        status: 'resolved',
        eventCount: 3,
      },
      { ...alert, title: 'INC-2: The lift is stuck', status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a ticket that a rule sets to pending is created, changed, noted and resolved',
    shape: 'zulip/zulip zerver/webhooks/freshdesk/fixtures',
    steps: [
      ['created', ticket('11', 'Pending', { triggered_event: '{ticket_action:created}' })],
      ['changed', ticket('11', 'Waiting on Customer', { triggered_event: '{status:{from:3,to:6}}' })],
      ['noted', ticket('11', 'Open', { triggered_event: '{note_type:private}' })],
      ['resolved', ticket('11', 'Resolved', { triggered_event: '{status:{from:6,to:4}}' })],
      ['noted later', ticket('11', 'Open', { triggered_event: '{note_type:public}' })],
    ],
    alerts: [
      {
        ...alert,
        title: '11: The lift is stuck',
        status: 'resolved',
        eventCount: 4,
      },
    ],
  },
] satisfies Story[];
