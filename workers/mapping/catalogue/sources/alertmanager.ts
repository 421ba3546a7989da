import { titleOf } from '../labels.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

const LABELS = {
  others: [
    ...['severity', 'service', 'job', 'environment', 'env', 'team'],
    ...['prometheus', 'prometheus_replica', 'replica', 'monitor', 'endpoint', 'uid', 'k8s_app', 'alertgroup'],
  ],
  isOther: 'n.startsWith("app_kubernetes_io_")',
  isNamed: 'n == "alertname"',
};

export default {
  name: 'alertmanager',
  title: 'Prometheus Alertmanager',
  documentation: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
  options:
    'Prometheus can also send here itself: set the path of this URL as path_prefix of its alertmanagers. In webhook_configs, keep send_resolved: true and max_alerts: 0. Without resolved alerts nothing ends, and a limit leaves alerts out',
  signature: {
    scheme: 'bearer-token',
    setup: 'In alertmanager.yml, webhook_configs → http_config → authorization → credentials',
  },
  repeatSeconds: 4 * 60 * 60,
  sample: {
    version: '4',
    groupKey: '{}:{alertname="DiskFillsUp"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'muster',
    groupLabels: { alertname: 'DiskFillsUp' },
    commonLabels: { alertname: 'DiskFillsUp', env: 'production' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com:9093',
    alerts: [
      {
        status: 'firing',
        labels: {
          alertname: 'DiskFillsUp',
          env: 'production',
          instance: 'db-3:9100',
          service: 'orders-db',
          severity: 'page',
          team: 'storage',
        },
        annotations: {
          description: 'The disk of db-3 will be full within 4 hours.',
          summary: 'Disk fills up',
        },
        startsAt: '2026-02-03T09:12:44.117Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'http://prometheus.example.com:9090/graph?g0.expr=disk_free&g0.tab=1',
        fingerprint: '0b1c2d3e4f5a6b7c',
      },
      {
        status: 'firing',
        labels: { alertname: 'DiskFillsUp', instance: 'db-4:9100', job: 'node', severity: 'warning' },
        annotations: { summary: 'Disk of db-4 fills up' },
        startsAt: '2026-02-03T08:00:00Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'http://prometheus.example.com:9090/graph?g0.expr=disk_free&g0.tab=1',
        fingerprint: '1c2d3e4f5a6b7c8d',
      },
    ],
  },
  otherSamples: [
    // An alert of Prometheus, which speaks Alertmanager's API.
    {
      status: 'firing',
      groupLabels: {},
      commonLabels: {},
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'DiskFillsUp', instance: 'db-3:9100', job: 'node', severity: 'page' },
          annotations: { summary: 'Disk of db-3 fills up' },
          startsAt: '2026-02-03T08:00:00.000Z',
          endsAt: '2026-02-03T08:04:00.000Z',
          generatorURL: 'http://prometheus.example.com:9090/graph?g0.expr=disk_free&g0.tab=1',
          fingerprint: '2d3e4f5a6b7c8d9e',
        },
      ],
    },
  ],
  recovery: {
    status: 'resolved',
    alerts: [
      {
        status: 'resolved',
        labels: { alertname: 'DiskFillsUp', instance: 'db-3:9100', severity: 'page', team: 'storage' },
        annotations: { summary: 'Disk fills up' },
        startsAt: '2026-02-03T09:12:44.117Z',
        endsAt: '2026-02-03T09:40:00Z',
        fingerprint: '0b1c2d3e4f5a6b7c',
      },
    ],
  },
  mapping: {
    split: 'alerts',
    fields: {
      // Alerts of one group differ in the labels by which they are not grouped. Labels that have a field of their own, or say
      // which Prometheus evaluates the rule, are left out as long as the others tell alerts apart.
      title: {
        expression: `first(${titleOf('item.labels.alertname', LABELS)}, item.labels.alertname, item.annotations.summary, item.annotations.description, item.annotations.message, item.labels.map(n, n + "=" + item.labels[n]).join(", "))`,
      },
      severity: { template: '{{item.labels.severity}}', values: SEVERITIES, default: 'warning' },
      description: {
        template:
          '{{item.annotations.description|item.annotations.summary|item.annotations.message|item.labels.alertname}}',
      },
      source: { template: 'Prometheus' },
      service: { template: '{{item.labels.service|item.labels.job}}' },
      environment: { template: '{{item.labels.environment|item.labels.env}}' },
      team: { template: '{{item.labels.team}}' },
      status: { template: '{{item.status}}' },
      // Each peer of a cluster may repeat what another one has already reported as resolved.
      occurrence: { template: '{{item.startsAt}}' },
      // The fingerprint is a hash of all labels. Old versions send none.
      dedupKey: { template: '{{item.fingerprint|item.labels}}' },
      // A sender that has no Alertmanager in between repeats an alert while it lasts. In webhooks of Alertmanager, no time goes on.
      expiresAt: { template: '{{item.endsAt}}' },
    },
    custom: {
      status: { template: '{{item.status}}' },
      instance: { template: '{{item.labels.instance}}' },
      runbook: { template: '{{item.annotations.runbook_url}}' },
      link: { template: '{{item.generatorURL}}' },
    },
  },
  expected: [
    {
      title: 'DiskFillsUp (db-3:9100, service=orders-db, severity=page, team=storage)',
      severity: 'critical',
      description: 'The disk of db-3 will be full within 4 hours.',
      source: 'Prometheus',
      service: 'orders-db',
      environment: 'production',
      team: 'storage',
      status: 'firing',
      dedupKey: '0b1c2d3e4f5a6b7c',
      occurrence: '2026-02-03T09:12:44.117Z',
      expiresAt: '0001-01-01T00:00:00Z',
    },
    {
      title: 'DiskFillsUp (db-4:9100, job=node, severity=warning)',
      severity: 'warning',
      description: 'Disk of db-4 fills up',
      source: 'Prometheus',
      service: 'node',
      status: 'firing',
      dedupKey: '1c2d3e4f5a6b7c8d',
      occurrence: '2026-02-03T08:00:00Z',
      expiresAt: '0001-01-01T00:00:00Z',
    },
  ],
} satisfies CatalogueSource;
