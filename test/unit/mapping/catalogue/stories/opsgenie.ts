import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const alert = (alertId: string, message: string, more: Record<string, JsonValue> = {}) => ({
  alertId,
  message,
  tags: ['mail', 'env:production'],
  tinyId: '33',
  source: 'kim@example.com',
  alias: alertId,
  createdAt: 1772352000000,
  updatedAt: 1772352000000000000,
  username: 'kim@example.com',
  entity: 'mail-1',
  ...more,
});

const event = (action: string, of: JsonValue): JsonValue => ({
  action,
  alert: of,
  source: { name: '', type: 'web' },
  integrationName: 'Muster',
  integrationId: 'i-1',
});

const queue = alert('a-1', 'The mail queue grows', { priority: 'P3', teams: ['Mail'] });
const relay = alert('a-2', 'The relay rejects mail', { priority: 'P1', teams: ['Mail'] });

export default [
  {
    what: 'an alert gets a note and another priority and is closed, and tags and notes follow its end',
    shape: 'https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/',
    steps: [
      ['fired', event('Create', queue)],
      ['acknowledged', event('Acknowledge', queue)],
      ['given another priority', event('UpdatePriority', { ...queue, priority: 'P2', oldPriority: 'P3' })],
      ['another problem', event('Create', relay)],
      ['resolved', event('Close', { ...queue, priority: 'P2' })],
      ['noted after the end', event('AddNote', { ...queue, note: 'It was the spam filter' })],
      ['tagged after the end', event('AddTags', { ...queue, addedTags: 'postmortem' })],
    ],
    alerts: [
      {
        title: 'The mail queue grows',
        severity: 'error',
        description: 'The mail queue grows',
        source: 'Opsgenie',
        service: 'mail-1',
        environment: 'production',
        team: 'Mail',
        status: 'resolved',
        eventCount: 4,
      },
      {
        title: 'The relay rejects mail',
        severity: 'critical',
        description: 'The relay rejects mail',
        source: 'Opsgenie',
        service: 'mail-1',
        environment: 'production',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an alert is escalated with hardly a field, deleted, and created late',
    shape: 'zulip/zulip zerver/webhooks/opsgenie/fixtures: create, escalate, delete, unacknowledge',
    steps: [
      ['fired', event('Create', alert('b-1', 'A certificate is missing', { entity: '' }))],
      [
        'escalated',
        { action: 'Escalate', escalationName: 'Mail', alert: { alertId: 'b-1' }, repeatCount: 0 },
      ],
      ['resolved', event('Delete', alert('b-1', 'A certificate is missing', { entity: '' }))],
      ['reported late', event('UnAcknowledge', alert('b-1', 'A certificate is missing', { entity: '' }))],
    ],
    alerts: [
      {
        title: 'A certificate is missing',
        severity: 'warning',
        description: 'A certificate is missing',
        source: 'Opsgenie',
        service: null,
        environment: 'production',
        status: 'resolved',
        eventCount: 3,
      },
    ],
  },
] satisfies Story[];
