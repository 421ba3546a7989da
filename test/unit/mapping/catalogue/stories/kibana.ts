import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const nested = (id: string, group: string, message: string): JsonValue => ({
  rule: {
    id: 'r-1',
    name: 'Latency of the search',
    type: '.es-query',
    spaceId: 'default',
    tags: ['env:production', 'severity:high', 'service:search'],
    url: 'https://kibana.example.com/app/rule/r-1',
  },
  alert: { id, uuid: `u-${id}`, actionGroup: group, actionGroupName: group, flapping: false },
  context: { title: "rule 'Latency of the search'", message, value: 3, date: '2026-03-01T08:00:00.000Z' },
  date: '2026-03-01T08:00:00.000Z',
});

/** A flat body of the connector, with the same variables. */
const flat = (alertId: string, group: string): JsonValue => ({
  source: 'kibana',
  rule_id: 'r-2',
  rule_name: 'CPU of hosts',
  rule_type: 'metrics.alert.threshold',
  rule_tags: 'env:staging,team:web',
  alert_id: alertId,
  action_group: group,
  reason: `CPU of ${alertId} is 97%`,
  group: alertId,
});

const search = {
  title: 'Latency of the search',
  severity: 'error',
  source: 'Kibana',
  service: 'search',
  environment: 'production',
};

export default [
  {
    what: 'two alerts of a rule, of which one recovers',
    shape: 'https://www.elastic.co/guide/en/kibana/current/rule-action-variables.html',
    steps: [
      ['fired', nested('eu', 'query matched', 'p99 of eu is 3 s')],
      ['repeated', nested('eu', 'query matched', 'p99 of eu is 4 s')],
      ['another problem', nested('us', 'query matched', 'p99 of us is 3 s')],
      ['resolved', nested('eu', 'recovered', 'p99 of eu is 0.1 s')],
    ],
    alerts: [
      {
        ...search,
        description: 'p99 of eu is 4 s',
        status: 'resolved',
        eventCount: 3,
        resolution: 'p99 of eu is 0.1 s',
      },
      { ...search, description: 'p99 of us is 3 s', status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a flat body of a connector',
    shape:
      'a KIBANA_ACTION_BODY_TEMPLATE with rule_id, alert_id and action_group; keephq/keep keep/providers/kibana_provider has another one',
    steps: [
      ['fired', flat('web-1', 'metrics.threshold.fired')],
      ['another problem', flat('web-2', 'metrics.threshold.fired')],
      ['resolved', flat('web-1', 'recovered')],
    ],
    alerts: (['web-1', 'web-2'] as const).map((host) => ({
      title: 'CPU of hosts',
      severity: 'warning',
      description: `CPU of ${host} is 97%`,
      source: 'Kibana',
      service: host,
      environment: 'staging',
      team: 'web',
      status: host === 'web-1' ? 'resolved' : 'firing',
      eventCount: host === 'web-1' ? 2 : 1,
    })),
  },
] satisfies Story[];
