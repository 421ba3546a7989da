import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

/** The payload that a workflow sends unless somebody writes another one. */
const issue = (id: string, state: string, trigger: string, title: string, priority = 'HIGH'): JsonValue => ({
  id,
  issueUrl: `https://one.newrelic.com/launcher?issue=${id}`,
  title,
  priority,
  impactedEntities: ['checkout'],
  totalIncidents: 1,
  state,
  trigger,
  isCorrelated: false,
  createdAt: 1772352000000,
  updatedAt: 1772352000000,
  sources: ['newrelic'],
  alertPolicyNames: ['Golden signals'],
  alertConditionNames: ['Latency'],
  workflowName: 'To Muster',
});

/** A payload of few fields, without the id of the issue. */
const essential = (id: string, state: string): JsonValue => ({
  issueUrl: `https://radar-api.example.com/accounts/7/issues/${id}?notifier=WEBHOOK`,
  title: "storage-2 query result is > 90.0 for 5 minutes on 'Disk'",
  priority: 'CRITICAL',
  totalIncidents: 1,
  state,
  createdAt: 1772352000000,
  updatedAt: 1772352600000,
  alertPolicyNames: ['Storage'],
  alertConditionNames: ['Disk'],
});

const SLOW = "checkout query result is > 2.0 for 5 minutes on 'Latency'";
const ERRORS = "checkout query result is > 5.0 for 5 minutes on 'Errors'";

export default [
  {
    what: 'an issue is created, activated, acknowledged and closed, and an activation arrives late',
    shape:
      'zulip/zulip zerver/webhooks/newrelic/fixtures: incident_created, incident_activated_new, incident_acknowledged, incident_closed (default_payload)',
    steps: [
      ['fired', issue('i-1', 'CREATED', 'INCIDENT_ADDED', SLOW)],
      ['activated', issue('i-1', 'ACTIVATED', 'STATE_CHANGE', SLOW)],
      ['another problem', issue('i-2', 'ACTIVATED', 'STATE_CHANGE', ERRORS, 'CRITICAL')],
      ['acknowledged', issue('i-1', 'ACKNOWLEDGED', 'ACKNOWLEDGED', SLOW)],
      ['resolved', issue('i-1', 'CLOSED', 'INCIDENT_CLOSED', SLOW)],
      ['activated late', issue('i-1', 'ACTIVATED', 'STATE_CHANGE', SLOW)],
    ],
    alerts: [
      {
        title: SLOW,
        severity: 'error',
        description: `${SLOW} (Latency)`,
        source: 'New Relic',
        service: 'checkout',
        environment: null,
        status: 'resolved',
        eventCount: 4,
      },
      {
        title: ERRORS,
        severity: 'critical',
        description: `${ERRORS} (Latency)`,
        source: 'New Relic',
        service: 'checkout',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a payload of few fields names the issue only in its URL',
    shape: 'zulip/zulip zerver/webhooks/newrelic/fixtures: essential_fields_default_payload',
    steps: [
      ['fired', essential('0a1b2c3d-0000-4000-8000-00000000000a', 'created')],
      ['another problem', essential('0a1b2c3d-0000-4000-8000-00000000000b', 'created')],
      ['resolved', essential('0a1b2c3d-0000-4000-8000-00000000000a', 'closed')],
    ],
    alerts: (['resolved', 'firing'] as const).map((status) => ({
      title: "storage-2 query result is > 90.0 for 5 minutes on 'Disk'",
      severity: 'critical',
      description: "storage-2 query result is > 90.0 for 5 minutes on 'Disk' (Disk)",
      source: 'New Relic',
      service: null,
      environment: null,
      status,
      eventCount: status === 'resolved' ? 2 : 1,
    })),
  },
] satisfies Story[];
