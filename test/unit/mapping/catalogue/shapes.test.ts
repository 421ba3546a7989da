import { describe, expect, test } from '@jest/globals';
import { catalogue, findSource } from '../../../../workers/mapping/catalogue/index.js';
import { type JsonValue, REQUIRED_FIELDS } from '../../../../workers/mapping/index.js';
import { only, run, valuesOf } from '../mapping.js';

/** What a source sends besides the shape of its sample, as its documentation describes it; the values are our own. */
interface Shape {
  what: string;
  payload: JsonValue;
  /** The fields to check. */
  alert: Record<string, string>;
}

const SENTRY: Shape[] = [
  {
    what: 'an error event',
    payload: {
      action: 'created',
      data: {
        error: {
          title: 'TypeError: basket is undefined',
          level: 'fatal',
          culprit: 'pay(checkout)',
          transaction: '/checkout',
          tags: [['environment', 'staging']],
          web_url: 'https://sentry.example.com/organizations/example/issues/1/events/2/',
        },
      },
    },
    alert: {
      title: 'TypeError: basket is undefined',
      severity: 'critical',
      description: 'TypeError: basket is undefined in pay(checkout)',
      service: '/checkout',
      environment: 'staging',
    },
  },
  {
    what: 'a resolved metric alert',
    payload: {
      action: 'resolved',
      data: {
        description_text: '12 events in the last 10 minutes',
        description_title: 'Resolved: Shop errors',
        metric_alert: {
          title: 'Brave Otter',
          projects: ['shop'],
          alert_rule: { name: 'Shop errors', environment: null },
        },
      },
    },
    alert: { title: 'Shop errors', severity: 'info', service: 'shop' },
  },
  {
    what: 'the older plugin',
    payload: {
      project_slug: 'shop',
      level: 'warning',
      culprit: 'lib/export.rb',
      message: '',
      url: 'https://sentry.example.com/issues/3/',
      event: {
        environment: 'production',
        exception: { values: [{ type: 'IOError', value: 'disk is full' }] },
      },
    },
    alert: {
      title: 'IOError',
      severity: 'warning',
      description: 'disk is full in lib/export.rb',
      service: 'shop',
      environment: 'production',
    },
  },
];

const SHAPES: Record<string, Shape[]> = {
  datadog: [
    {
      what: 'tags as $TAGS writes them, in one string',
      payload: {
        title: '[Triggered] The mail queue is growing',
        alert_type: 'warning',
        tags: 'env:staging,service:mail,team:messaging,monitor',
      },
      alert: { severity: 'warning', service: 'mail', environment: 'staging', team: 'messaging' },
    },
  ],
  'sentry-event-alert': SENTRY,
  'sentry-issue': SENTRY,
  'sentry-metric-alert': SENTRY,
  appdynamics: [
    {
      what: 'a resolved incident',
      payload: {
        event_type: 'resolve',
        description: 'Slow calls on node-3',
        details: { severity: 'ERROR', summary: 'Calls are quick again', application_name: 'Checkout' },
      },
      alert: { title: 'Slow calls on node-3', severity: 'info', service: 'Checkout' },
    },
  ],
  'azure-monitor': [
    {
      what: 'a metric alert before the common schema',
      payload: {
        schemaId: 'AzureMonitorMetricAlert',
        data: {
          version: '2.0',
          status: 'Activated',
          context: {
            name: 'api-errors',
            description: '',
            severity: '1',
            resourceName: 'shop-api',
            condition: { allOf: [{ metricName: 'Http5xx', metricValue: 22 }] },
          },
          properties: { team: 'web', environment: 'production' },
        },
      },
      alert: {
        title: 'api-errors',
        severity: 'error',
        description: 'Http5xx is 22',
        service: 'shop-api',
        team: 'web',
        environment: 'production',
      },
    },
    {
      what: 'a classic metric alert',
      payload: {
        status: 'Activated',
        context: {
          name: 'cpu',
          description: 'CPU is over 90%',
          resourceName: 'vm-4',
          condition: { metricName: 'Percentage CPU', metricValue: '93' },
        },
        properties: {},
      },
      alert: { title: 'cpu', severity: 'warning', description: 'CPU is over 90%', service: 'vm-4' },
    },
    {
      what: 'an activity log alert',
      payload: {
        schemaId: 'Microsoft.Insights/activityLogs',
        data: {
          status: 'Activated',
          context: {
            activityLog: {
              operationName: 'Microsoft.Compute/virtualMachines/deallocate/action',
              level: 'Error',
              resourceGroupName: 'shop',
              status: 'Failed',
            },
          },
        },
      },
      alert: {
        title: 'Microsoft.Compute/virtualMachines/deallocate/action',
        severity: 'error',
        description: 'Microsoft.Compute/virtualMachines/deallocate/action: Failed',
        service: 'shop',
      },
    },
  ],
  'google-cloud-monitoring': [
    {
      what: 'labels of the resource, and no condition name',
      payload: {
        incident: {
          summary: 'Latency of orders is above 2 s.',
          policy_name: 'Orders',
          condition: { displayName: 'Latency' },
          resource_name: 'orders',
          policy_user_labels: { severity: 'warning' },
          metadata: { user_labels: { team: 'orders', environment: 'staging' } },
        },
      },
      alert: { title: 'Orders: Latency', severity: 'warning', team: 'orders', environment: 'staging' },
    },
  ],
  'grafana-legacy': [
    {
      what: 'tags only in the matches',
      payload: {
        title: '[Alerting] Cache memory',
        ruleName: 'Cache memory',
        state: 'alerting',
        message: 'Nearly full',
        evalMatches: [
          { metric: 'memory', value: 91, tags: { service: 'cache', env: 'production', team: 'platform' } },
          { metric: 'memory', value: 92, tags: { service: 'cache', env: 'production', team: 'platform' } },
        ],
      },
      alert: { service: 'cache', environment: 'production', team: 'platform' },
    },
    {
      what: 'a recovery, which has no matches',
      payload: { title: '[OK] Cache memory', ruleName: 'Cache memory', state: 'ok', evalMatches: [] },
      alert: { title: 'Cache memory', severity: 'info', description: 'Cache memory' },
    },
  ],
  graylog: [
    {
      what: 'an event notification',
      payload: {
        event_definition_title: 'Failed payments',
        event_definition_description: 'More than ten in a minute',
        event: {
          id: '01',
          message: 'Failed payments: count()=14',
          priority: 3,
          source: 'server',
          key: 'payments-2',
        },
        backlog: [{ message: 'provider timed out', source: 'payments-2' }],
      },
      alert: {
        title: 'Failed payments',
        severity: 'error',
        description: 'Failed payments: count()=14',
        service: 'payments-2',
      },
    },
  ],
  'hetrixtools-resource': [
    {
      what: 'an uptime monitor',
      payload: {
        monitor_name: 'Shop',
        monitor_target: 'https://shop.example.com',
        monitor_status: 'offline',
      },
      alert: {
        title: 'Shop',
        severity: 'critical',
        description: 'https://shop.example.com is offline',
      },
    },
  ],
  honeybadger: [
    {
      what: 'a site that is down',
      payload: { event: 'down', message: '[Shop] Front page is down.', project: { name: 'Shop' } },
      alert: { title: '[Shop] Front page is down.', severity: 'critical', service: 'Shop' },
    },
  ],
  elastalert: [
    {
      what: 'a plain message',
      payload: { message: '40 failed logins' },
      alert: { title: '40 failed logins', severity: 'warning', description: '40 failed logins' },
    },
  ],
  zabbix: [
    {
      what: 'a recovery',
      payload: {
        title: 'Resolved: LDAP',
        description: 'Resolved at 10:31',
        event_value: '0',
        event_nseverity: '5',
      },
      alert: { title: 'Problem: LDAP', severity: 'info' },
    },
    {
      what: 'tags in one string',
      payload: {
        title: 'Problem: LDAP',
        description: 'No response',
        event_value: '1',
        event_nseverity: '4',
        event_tags: 'service:ldap, environment:production, team:directory',
      },
      alert: { severity: 'error', service: 'ldap', environment: 'production', team: 'directory' },
    },
    {
      what: 'a script that sends no value',
      payload: { title: 'LDAP', message: 'No response', event_nseverity: '5', host_name: 'ldap-1' },
      alert: { severity: 'critical', description: 'No response', service: 'ldap-1' },
    },
  ],
  zendesk: [
    {
      what: 'the JSON of a trigger',
      payload: {
        id: '71',
        title: 'Page stays white',
        description: 'Since noon',
        priority: 'urgent',
        status: 'New',
      },
      alert: { title: 'Page stays white', severity: 'critical', description: 'Since noon' },
    },
  ],
};

describe.each(Object.entries(SHAPES))('%s', (name, shapes) => {
  test.each(shapes.map((shape) => [shape.what, shape] as const))('%s', (_, { payload, alert }) => {
    const { mapping } = findSource(name) as (typeof catalogue)[number];
    const result = only(run(mapping, payload));
    expect({ state: result.state, ...valuesOf(result) }).toMatchObject({ state: 'complete', ...alert });
    for (const field of REQUIRED_FIELDS) expect(result.fields[field].warnings).toEqual([]);
  });
});

/** Returns the payload without any member of that name. */
function without(value: JsonValue, name: string): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => without(entry as JsonValue, name));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(members.map(([key, inner]) => [key, without(inner as JsonValue, name)]));
}

test.each(catalogue.map((source) => [source.name, source] as const))(
  '%s: an alert that still has its description has a title, whichever member is absent',
  (_, { sample, mapping }) => {
    const [whole] = run(mapping, sample).alerts;
    const names = (whole?.fields.title.paths ?? []).map((path) =>
      path
        .replace(/(\[\d+\])+$/, '')
        .split('.')
        .at(-1),
    );
    for (const name of new Set(names)) {
      const [alert] = run(mapping, without(sample, name as string)).alerts;
      if (alert?.fields.description.result !== 'resolved') continue;
      expect({ name, title: alert.fields.title.value }).toEqual({ name, title: expect.stringMatching(/\S/) });
    }
  },
);

test.each(['alertmanager', 'grafana'])(
  '%s: each of many alerts with many labels is complete and has a key',
  (name) => {
    const alerts = Array.from({ length: 200 }, (_, number) => ({
      status: 'firing',
      labels: {
        alertname: 'KubePodCrashLooping',
        pod: `api-${number}`,
        ...Object.fromEntries(Array.from({ length: 30 }, (_, label) => [`label_${label}`, 'value'])),
      },
      annotations: { description: 'It was restarted again.' },
      startsAt: '2026-03-01T08:00:00Z',
      fingerprint: `f${number}`,
    }));
    const { mapping } = findSource(name) as (typeof catalogue)[number];
    const mapped = run(mapping, { status: 'firing', groupLabels: {}, commonLabels: {}, alerts }).alerts;
    expect(mapped.flatMap(({ faults }) => faults)).toEqual([]);
    expect(new Set(mapped.map(({ series }) => series?.dedupKey)).size).toBe(200);
    expect(mapped[199]?.fields.title.value).toContain('KubePodCrashLooping (pod=api-199, label_0=value');
  },
);
