import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const rule = (
  ruleId: number,
  ruleName: string,
  state: string,
  more: Record<string, JsonValue>,
): JsonValue => ({
  ruleId,
  ruleName,
  ruleUrl: `https://grafana.example.com/d/${ruleId}`,
  state,
  title: `[${state === 'ok' ? 'OK' : 'Alerting'}] ${ruleName}`,
  ...more,
});

const alert = { severity: 'info', source: 'Grafana', service: null, environment: null, status: 'resolved' };

export default [
  {
    what: 'a rule without a message or organization fires and ends, and another one fires',
    shape: 'grafana/grafana issue 11538, version 5.0',
    steps: [
      [
        'fired',
        rule(2, 'Slow function', 'alerting', {
          evalMatches: [{ value: 15.5, metric: 'duration', tags: null }],
        }),
      ],
      [
        'another problem',
        rule(3, 'Slow queue', 'alerting', { evalMatches: [{ value: 7, metric: 'lag', tags: null }] }),
      ],
      ['resolved', rule(2, 'Slow function', 'ok', { evalMatches: [] })],
    ],
    alerts: [
      {
        ...alert,
        title: 'Slow function',
        description: 'duration: 15.5',
        eventCount: 2,
        severity: 'error',
      },
      {
        ...alert,
        title: 'Slow queue',
        severity: 'error',
        description: 'lag: 7',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a rule has no data, fires, is paused, and its channel is tested',
    shape: 'https://grafana.com/docs/grafana/v7.5/alerting/notifications/#webhook',
    steps: [
      ['no data', rule(9, 'Replies', 'no_data', { orgId: 1, message: 'Nobody replies', evalMatches: [] })],
      [
        'fired',
        rule(9, 'Replies', 'alerting', {
          orgId: 1,
          message: 'Nobody replies',
          tags: { service: 'desk', env: 'production' },
          evalMatches: [{ value: 0, metric: 'replies', tags: {} }],
        }),
      ],
      ['paused', rule(9, 'Replies', 'paused', { orgId: 1, message: 'Nobody replies', evalMatches: [] })],
      [
        'tested',
        rule(0, 'Test notification', 'alerting', {
          orgId: 1,
          message: 'Someone is testing the alert notification within Grafana.',
          evalMatches: [{ value: 100, metric: 'High value', tags: null }],
        }),
      ],
    ],
    alerts: [
      {
        ...alert,
        title: 'Replies',
        description: 'Nobody replies',
        service: 'desk',
        environment: 'production',
        eventCount: 3,
        severity: 'error',
      },
      {
        ...alert,
        title: 'Test notification',
        severity: 'error',
        description: 'Someone is testing the alert notification within Grafana.',
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
