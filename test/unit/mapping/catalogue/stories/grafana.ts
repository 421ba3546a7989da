import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const STARTED = '2026-03-01T08:00:00Z';
const GOES_ON = '0001-01-01T00:00:00Z';

type Item = Record<string, JsonValue>;

/** A notification of a contact point, which puts all alerts into one group. */
const notification = (alerts: readonly Item[], more: Record<string, JsonValue> = {}): JsonValue => ({
  receiver: 'muster',
  status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
  orgId: 1,
  alerts: alerts as JsonValue,
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'https://grafana.example.com/',
  version: '1',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  title: `[${alerts.length} alerts]`,
  state: 'alerting',
  message: '**Firing**',
  ...more,
});

const item = (fingerprint: string, labels: Item, annotations: Item, status = 'firing'): Item => ({
  status,
  labels,
  annotations,
  startsAt: STARTED,
  endsAt: status === 'firing' ? GOES_ON : '2026-03-01T08:30:00Z',
  generatorURL: 'https://grafana.example.com/alerting/grafana/q1/view',
  fingerprint,
  silenceURL: 'https://grafana.example.com/alerting/silence/new',
  dashboardURL: '',
  panelURL: '',
  values: null,
  valueString: "[ var='B' labels={} value=17 ]",
});

const consumers = (queue: string, fingerprint: string, status = 'firing'): Item =>
  item(
    fingerprint,
    { alertname: 'Too few consumers', cluster: 'mq', queue, route: 'true', team: 'mail' },
    { description: 'A queue has fewer consumers than it needs', summary: `Too few consumers of ${queue}` },
    status,
  );

const alert = {
  severity: 'error',
  source: 'Grafana',
  service: null,
  environment: null,
  eventCount: 1,
};

export default [
  {
    what: 'two alerts of a rule fire, repeat, one ends, and another instance repeats it',
    shape: 'zulip/zulip zerver/webhooks/grafana/fixtures/alert_multiple_v8.json',
    steps: [
      ['fired', notification([consumers('welcome', 'c1'), consumers('invoice', 'c2')])],
      ['repeated', notification([consumers('welcome', 'c1'), consumers('invoice', 'c2')])],
      ['one resolved', notification([consumers('welcome', 'c1', 'resolved'), consumers('invoice', 'c2')])],
      ['repeated by another instance', notification([consumers('welcome', 'c1')])],
    ],
    alerts: [
      {
        ...alert,
        title: 'Too few consumers (mq, welcome)',
        description: 'A queue has fewer consumers than it needs',
        team: 'mail',
        status: 'resolved',
        eventCount: 3,
      },
      {
        ...alert,
        title: 'Too few consumers (mq, invoice)',
        description: 'A queue has fewer consumers than it needs',
        team: 'mail',
        status: 'firing',
        eventCount: 3,
      },
    ],
  },
  {
    what: 'a rule finds no data and another one cannot be evaluated, each of which ends',
    shape:
      'https://grafana.com/docs/grafana/latest/alerting/fundamentals/alert-rule-evaluation/stale-alert-instances/',
    steps: (['firing', 'resolved'] as const).map((status) => [
      status,
      notification([
        item(
          'd1',
          {
            alertname: 'DatasourceNoData',
            datasource_uid: 'u1',
            grafana_folder: 'Ops',
            ref_id: 'A',
            rulename: 'Old backup',
          },
          { summary: 'The newest backup is more than a day old' },
          status,
        ),
        item(
          'd2',
          {
            alertname: 'DatasourceError',
            datasource_uid: 'u2',
            grafana_folder: 'Ops',
            ref_id: 'B',
            rulename: 'Long queue',
          },
          { Error: 'query failed: dial tcp: i/o timeout', summary: 'The queue is long' },
          status,
        ),
      ]),
    ]),
    alerts: [
      {
        ...alert,
        title: 'Old backup has no data (datasource_uid=u1, ref_id=A)',
        description: 'The newest backup is more than a day old',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Long queue cannot be evaluated (datasource_uid=u2, ref_id=B)',
        description: 'query failed: dial tcp: i/o timeout',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'the Test button of a contact point, with labels of its own too, stands alone',
    shape: 'grafana/grafana pkg/services/ngalert/notifier/receivers.go',
    steps: [
      [
        'tested',
        notification(
          [item('t1', { alertname: 'TestAlert', instance: 'Grafana' }, { summary: 'Notification test' })],
          {
            groupLabels: { alertname: 'TestAlert', instance: 'Grafana' },
          },
        ),
      ],
      [
        'tested with labels',
        notification([item('t2', { alertname: 'Try me' }, { summary: 'Do you read this?' })], {
          groupKey: 'test-t2-1772352000',
        }),
      ],
    ],
    alerts: [
      { ...alert, title: 'TestAlert', description: 'Notification test', status: null },
      { ...alert, title: 'Try me', description: 'Do you read this?', status: null },
    ],
  },
] satisfies Story[];
