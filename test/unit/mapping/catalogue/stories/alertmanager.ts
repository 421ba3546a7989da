import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const STARTED = '2026-03-01T08:00:00Z';
const GOES_ON = '0001-01-01T00:00:00Z';

/** A notification of version 4, of the alerts of one group. */
const notification = (alertname: string, alerts: readonly Record<string, JsonValue>[]): JsonValue => ({
  version: '4',
  groupKey: `{}:{alertname="${alertname}"}`,
  truncatedAlerts: 0,
  status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
  receiver: 'muster',
  groupLabels: { alertname },
  commonLabels: { alertname },
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example.com:9093',
  alerts: alerts as JsonValue,
});

const lagging = (status: string, endsAt = GOES_ON): Record<string, JsonValue> => ({
  status,
  labels: { alertname: 'ReplicaLags', instance: 'db-2:9104', severity: 'warning' },
  annotations: { summary: 'The replica of orders is 90 s behind' },
  startsAt: STARTED,
  endsAt,
  generatorURL: 'http://prometheus.example.com/graph?g0.expr=lag',
  fingerprint: 'f00d',
});

export default [
  {
    what: 'one alert fires, repeats and ends',
    shape: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
    steps: [
      ['fired', notification('ReplicaLags', [lagging('firing')])],
      ['repeated', notification('ReplicaLags', [lagging('firing')])],
      ['resolved', notification('ReplicaLags', [lagging('resolved', '2026-03-01T08:30:00Z')])],
    ],
    alerts: [
      {
        title: 'ReplicaLags',
        severity: 'warning',
        description: 'The replica of orders is 90 s behind',
        source: 'Prometheus',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 3,
      },
    ],
  },
] satisfies Story[];
