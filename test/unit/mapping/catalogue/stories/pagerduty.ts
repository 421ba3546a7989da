import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const SERVICE = { id: 'PSHOP01', type: 'service_reference', summary: 'Shop' };

/** An event of webhooks v3 about an incident. */
const incident = (id: string, number: number, title: string) => {
  let minute = 0;
  return (event: string, status: string, more: Record<string, JsonValue> = {}): JsonValue => ({
    event: {
      id: `01EVENT${number}${++minute}`,
      event_type: `incident.${event}`,
      resource_type: 'incident',
      occurred_at: `2026-03-01T08:${String(minute).padStart(2, '0')}:00.000Z`,
      agent: { id: 'PKIM001', type: 'user_reference', summary: 'Kim Example' },
      client: null,
      data: {
        id,
        type: 'incident',
        number,
        status,
        title,
        service: SERVICE,
        assignees: [],
        escalation_policy: { id: 'PESC001', type: 'escalation_policy_reference', summary: 'Shop first' },
        teams: [],
        priority: null,
        urgency: 'high',
        ...more,
      },
    },
  });
};

/** A record of its own, such as a note, that names its incident. */
const record = (event: string, type: string, more: Record<string, JsonValue>): JsonValue => ({
  event: {
    id: `01EVENT${event}`,
    event_type: event,
    resource_type: 'incident',
    occurred_at: '2026-03-01T09:30:00.000Z',
    agent: { id: 'PKIM001', type: 'user_reference', summary: 'Kim Example' },
    client: null,
    data: {
      id: 'PREC001',
      type,
      incident: { id: 'QSLOW01', type: 'incident_reference', summary: 'Search is slow' },
      ...more,
    },
  },
});

/** A message of webhooks v2. */
const message = (event: string, id: string, status: string, title: string, at: string): JsonValue => ({
  event: `incident.${event}`,
  created_on: at,
  id: `m-${id}-${event}`,
  incident: {
    id,
    incident_number: 33,
    title,
    description: title,
    status,
    urgency: 'low',
    service: { id: 'PDB0001', name: 'Databases', summary: 'Databases', status: 'critical' },
    teams: [{ id: 'PTEAM02', type: 'team_reference', summary: 'Storage' }],
  },
});

/** Webhooks v2 send lists. */
const batch = (...messages: JsonValue[]): JsonValue => ({ messages });

const P3 = { priority: { id: 'PPRIO03', type: 'priority_reference', summary: 'P3' } };

const slow = incident('QSLOW01', 81, 'Search is slow');
const carts = incident('QCART01', 82, 'Carts are lost');

export default [
  {
    what: 'an incident gets a priority and a note, ends, is reopened, and another one stays open',
    shape:
      'zulip/zulip zerver/webhooks/pagerduty/fixtures: triggered_v3, priority_updated_v3, annotated_v3, resolved_v3, reopened_v3',
    steps: [
      ['fired', slow('triggered', 'triggered')],
      ['acknowledged', slow('acknowledged', 'acknowledged')],
      ['given a priority', slow('priority_updated', 'acknowledged', P3)],
      ['noted', record('incident.annotated', 'incident_note', { content: 'Rebuilding the index.' })],
      ['another problem', carts('triggered', 'triggered')],
      ['resolved', slow('resolved', 'resolved', P3)],
      [
        'noted after the end',
        record('incident.status_update_published', 'incident_status_update', { message: 'All is well.' }),
      ],
      ['reassigned after the end', slow('reassigned', 'resolved', P3)],
      ['reopened', slow('reopened', 'triggered', P3)],
    ],
    alerts: [
      {
        title: 'Search is slow',
        severity: 'warning',
        description: 'Incident 81 of Shop',
        source: 'PagerDuty',
        service: 'Shop',
        environment: null,
        team: 'Shop first',
        status: 'resolved',
        eventCount: 5,
      },
      {
        title: 'Carts are lost',
        severity: 'critical',
        description: 'Incident 82 of Shop',
        source: 'PagerDuty',
        service: 'Shop',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'Search is slow',
        severity: 'warning',
        description: 'Incident 81 of Shop',
        source: 'PagerDuty',
        service: 'Shop',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'changes of a service and workflows make no alert, and the test of a subscription never fires',
    shape:
      'zulip/zulip zerver/webhooks/pagerduty/fixtures: service_updated_v3, workflow_completed_v3; pagey.ping of the documentation of webhooks v3',
    steps: [
      [
        'a service that changed',
        {
          event: {
            id: '01S',
            event_type: 'service.updated',
            resource_type: 'service',
            occurred_at: '2026-03-01T08:00:00.000Z',
            data: { id: 'PSHOP01', type: 'service', summary: 'Shop', status: 'active' },
          },
        },
      ],
      [
        'a workflow that ended',
        record('incident.workflow.completed', 'incident_workflow_instance', { summary: 'Tell the others' }),
      ],
      [
        'a test',
        {
          event: {
            id: '01P',
            event_type: 'pagey.ping',
            resource_type: 'pagey',
            occurred_at: '2026-03-01T08:00:00.000Z',
            agent: null,
            client: null,
            data: { message: 'Hello from your friend Pagey!', type: 'ping' },
          },
        },
      ],
    ],
    alerts: [
      {
        title: 'Hello from your friend Pagey!',
        severity: 'error',
        description: 'Hello from your friend Pagey!',
        source: 'PagerDuty',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'webhooks v2: an incident is assigned and ends, another one is in the same list, and a message arrives late',
    shape: 'zulip/zulip zerver/webhooks/pagerduty/fixtures: trigger_v2, assign_v2, resolve_v2',
    steps: [
      [
        'fired',
        batch(message('trigger', 'PV2DISK', 'triggered', 'The disk is full', '2026-03-01T08:00:00Z')),
      ],
      [
        'assigned, and another problem',
        batch(
          message('assign', 'PV2DISK', 'triggered', 'The disk is full', '2026-03-01T08:01:00Z'),
          message('trigger', 'PV2RAID', 'triggered', 'A disk is lost', '2026-03-01T08:02:00Z'),
        ),
      ],
      [
        'resolved',
        batch(message('resolve', 'PV2DISK', 'resolved', 'The disk is full', '2026-03-01T08:30:00Z')),
      ],
      [
        'escalated late',
        batch(message('escalate', 'PV2DISK', 'triggered', 'The disk is full', '2026-03-01T08:20:00Z')),
      ],
      ['an empty list', batch()],
    ],
    alerts: [
      {
        title: 'The disk is full',
        severity: 'warning',
        description: 'Incident 33 of Databases',
        source: 'PagerDuty',
        service: 'Databases',
        environment: null,
        team: 'Storage',
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'A disk is lost',
        severity: 'warning',
        description: 'Incident 33 of Databases',
        source: 'PagerDuty',
        service: 'Databases',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
