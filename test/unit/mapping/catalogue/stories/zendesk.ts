import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const native = (type: string, id: string, status: string, time: string): JsonValue => ({
  type: `zen:event-type:ticket.${type}`,
  account_id: 70002,
  id: `00000000-1111-4222-8333-${time.replaceAll(':', '')}`,
  time: `2026-03-01T${time}Z`,
  zendesk_event_version: '2022-11-06',
  subject: `zen:ticket:${id}`,
  detail: {
    id,
    subject: 'Orders are lost',
    description: 'Since noon.',
    priority: 'HIGH',
    status,
    type: 'INCIDENT',
    group_id: '8',
    tags: ['orders'],
  },
  event: {},
});

const trigger = (id: string, event_type: string): JsonValue => ({
  id,
  event_type,
  title: 'Nobody can log in',
  description: 'The page stays white.',
  link: `https://example.zendesk.com/agent/tickets/${id}`,
  priority: 'Urgent',
  ticket_type: 'Incident',
  via: 'Web form',
});

const ticket = {
  title: 'Orders are lost',
  severity: 'error',
  description: 'Since noon.',
  source: 'Zendesk',
  service: 'orders',
  environment: null,
};

const login = {
  title: 'Nobody can log in',
  severity: 'critical',
  description: 'The page stays white.',
  source: 'Zendesk',
  service: null,
  environment: null,
};

export default [
  {
    what: 'a ticket is commented, solved and opened again, and its events arrive in another order',
    shape: 'https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/',
    steps: [
      ['fired', native('created', '901', 'NEW', '08:00:00')],
      ['another problem', native('created', '902', 'NEW', '08:01:00')],
      ['comment', native('comment_added', '901', 'OPEN', '08:10:00')],
      ['solved', native('status_changed', '901', 'SOLVED', '09:00:00')],
      ['late', native('priority_changed', '901', 'OPEN', '08:20:00')],
      ['comment on the solved ticket', native('comment_added', '901', 'SOLVED', '09:10:00')],
      ['opened again', native('status_changed', '901', 'OPEN', '10:00:00')],
      ['deleted', native('soft_deleted', '902', 'NEW', '10:10:00')],
    ],
    alerts: [
      { ...ticket, status: 'resolved', eventCount: 3 },
      { ...ticket, status: 'resolved', eventCount: 2 },
      { ...ticket, status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'the JSON of two triggers',
    shape: 'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/zendesk/v3.rb',
    steps: [
      ['fired', trigger('911', 'create')],
      ['another problem', trigger('912', 'create')],
      ['resolved', trigger('911', 'resolve')],
    ],
    alerts: [
      { ...login, status: 'resolved', eventCount: 2 },
      { ...login, status: 'firing', eventCount: 1 },
    ],
  },
] satisfies Story[];
