import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const full = (incident: number, state: string, more: Record<string, JsonValue> = {}): JsonValue => ({
  account_id: 404,
  account_name: 'Example',
  condition_id: 12,
  condition_name: 'Queue length',
  current_state: state,
  details: 'Queue length above 100',
  event_type: 'INCIDENT',
  incident_id: incident,
  incident_url: `https://alerts.newrelic.com/accounts/404/incidents/${incident}`,
  owner: '',
  policy_name: 'Back office',
  severity: 'WARNING',
  targets: [{ id: '9', name: 'worker-2', type: 'Host', product: 'INFRASTRUCTURE', labels: {}, link: '' }],
  timestamp: 1772352000000,
  ...more,
});

/** A payload of few fields, in which the URL names the account. */
const short = (account: number, state: string): JsonValue => ({
  incident_acknowledge_url: `https://alerts.newrelic.com/accounts/${account}/incidents/88/acknowledge`,
  incident_id: 88,
  details: 'No data from the host',
  policy_name: 'Hosts',
  condition_name: 'Host is silent',
  timestamp: 1772352000000,
  current_state: state,
  incident_url: `https://alerts.newrelic.com/accounts/${account}/incidents/88`,
});

const silent = { severity: 'error', source: 'New Relic', service: null, environment: null };

export default [
  {
    what: 'an incident is acknowledged and closed, and the Test button never fires',
    shape:
      'alerta/alerta tests/test_webhooks.py, and depotjoe/newrelic-alert-handler src/handlers/post-major-alerts/sampleNRalert.js',
    steps: [
      ['fired', full(61, 'open')],
      ['acknowledged', full(61, 'acknowledged')],
      ['another problem', full(62, 'open', { details: 'Queue length above 500', severity: 'CRITICAL' })],
      ['resolved', full(61, 'closed')],
      ['acknowledged late', full(61, 'acknowledged')],
      [
        'a test',
        full(0, 'test', {
          event_type: 'NOTIFICATION',
          severity: 'INFO',
          condition_name: 'New Relic Alert - Test Condition',
          details: 'New Relic Alert - Channel Test',
          targets: [
            { id: '12345', name: 'Test Target', type: 'test', product: 'TESTING', labels: {}, link: '' },
          ],
        }),
      ],
    ],
    alerts: [
      {
        title: 'Queue length',
        severity: 'warning',
        description: 'Queue length above 100',
        source: 'New Relic',
        service: 'worker-2',
        environment: null,
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'Queue length',
        severity: 'critical',
        description: 'Queue length above 500',
        source: 'New Relic',
        service: 'worker-2',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'New Relic Alert - Test Condition',
        severity: 'info',
        description: 'New Relic Alert - Channel Test',
        source: 'New Relic',
        service: 'Test Target',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'two accounts have an incident of the same number, and name the account only in the URL',
    shape: 'zulip/zulip zerver/webhooks/newrelic/fixtures: incident_opened, incident_closed',
    steps: [
      ['fired', short(404, 'open')],
      ['another problem', short(405, 'open')],
      ['resolved', short(404, 'closed')],
    ],
    alerts: [
      {
        title: 'Host is silent',
        description: 'No data from the host',
        ...silent,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'Host is silent',
        description: 'No data from the host',
        ...silent,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
