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

const crashing = (fingerprint: string, namespace: string, pod: string, status = 'firing') => ({
  status,
  labels: { alertname: 'PodRestarts', namespace, pod, severity: 'critical' },
  annotations: {
    summary: 'A pod restarts again and again',
    runbook_url: 'https://runbooks.example.com/pods',
  },
  startsAt: STARTED,
  endsAt: status === 'firing' ? GOES_ON : '2026-03-01T08:30:00Z',
  generatorURL: 'http://prometheus.example.com/graph?g0.expr=restarts',
  fingerprint,
});

const imitated = (status: string, labels: Record<string, string>): JsonValue => ({
  receiver: 'muster',
  status,
  alerts: [{ status, labels }],
  groupLabels: { alertname: 'Try' },
});

export default [
  {
    what: 'one alert fires, repeats and ends, and a peer of the cluster repeats it once more',
    shape: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
    steps: [
      ['fired', notification('ReplicaLags', [lagging('firing')])],
      ['repeated', notification('ReplicaLags', [lagging('firing')])],
      ['resolved', notification('ReplicaLags', [lagging('resolved', '2026-03-01T08:30:00Z')])],
      ['repeated by another peer', notification('ReplicaLags', [lagging('firing')])],
    ],
    alerts: [
      {
        title: 'ReplicaLags (db-2:9104)',
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
  {
    what: 'two alerts of a group have the same texts, and one of them ends',
    shape: 'prometheus/alertmanager template/default.tmpl, with labels of kube-state-metrics',
    steps: [
      [
        'fired',
        notification('PodRestarts', [crashing('aa01', 'pay', 'api-1'), crashing('aa02', 'web', 'www-9')]),
      ],
      ['one resolved', notification('PodRestarts', [crashing('aa01', 'pay', 'api-1', 'resolved')])],
    ],
    alerts: [
      {
        title: 'PodRestarts (pay, api-1)',
        severity: 'critical',
        description: 'A pod restarts again and again',
        source: 'Prometheus',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'PodRestarts (web, www-9)',
        severity: 'critical',
        description: 'A pod restarts again and again',
        source: 'Prometheus',
        service: null,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a program that imitates Alertmanager sends one alert without fingerprint, times and common labels',
    shape: 'zulip/zulip issue 39271, and prometheus-community/jiralert issue 115',
    steps: [
      ['fired', imitated('firing', { alertname: 'Try', kind: 'manual' })],
      ['resolved', imitated('resolved', { kind: 'manual', alertname: 'Try' })],
    ],
    alerts: [
      {
        title: 'Try',
        severity: 'warning',
        description: 'Try',
        source: 'Prometheus',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
