import { titleOf } from '../labels.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

const LABELS = {
  others: [
    ...['rulename', 'grafana_folder', 'datasource_uid', 'ref_id'],
    ...['severity', 'service', 'job', 'environment', 'env', 'team'],
  ],
  // Labels whose names begin with `__` are hidden, and `true` or `false` only routes a notification.
  isOther: 'n.startsWith("__") || item.labels[n] in ["true", "false"]',
  // The title of a rule whose query fails has the name of the rule.
  isNamed: 'n == "alertname" || n == "rulename" && item.labels.alertname.startsWith("Datasource")',
};

/** What Grafana calls a rule whose query fails has the name of the rule in a label. */
const RULE = `item.labels.rulename + ({"DatasourceNoData": " has no data", "DatasourceError": " cannot be evaluated"}[item.labels.alertname])`;

export default {
  name: 'grafana',
  title: 'Grafana Alerting',
  documentation:
    'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  options:
    'In the contact point, choose Integration: Webhook and HTTP Method: POST, leave Max Alerts at 0 and Custom Payload empty, and keep Disable resolved message off. In the notification policy, group by alertname',
  signature: {
    scheme: 'grafana',
    setup: 'Alerting → Contact points → your webhook → Optional Webhook settings → HMAC Signature → Secret',
  },
  repeatSeconds: 4 * 60 * 60,
  sample: {
    receiver: 'muster',
    status: 'firing',
    orgId: 4,
    alerts: [
      {
        status: 'firing',
        labels: {
          alertname: 'Checkout is slow',
          grafana_folder: 'Shop',
          service: 'checkout',
          severity: 'high',
        },
        annotations: {
          description: 'Half of all checkouts take longer than 3 s.',
          summary: 'Checkout is slow',
        },
        startsAt: '2026-02-03T10:20:00Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'https://grafana.example.com/alerting/grafana/abc/view',
        fingerprint: 'a1b2c3d4e5f60718',
        silenceURL: 'https://grafana.example.com/alerting/silence/new',
        dashboardURL: '',
        panelURL: '',
        values: { A: 3.4 },
        valueString: "[ var='A' labels={} value=3.4 ]",
      },
    ],
    groupLabels: { alertname: 'Checkout is slow' },
    commonLabels: { alertname: 'Checkout is slow', service: 'checkout' },
    commonAnnotations: {},
    externalURL: 'https://grafana.example.com/',
    version: '1',
    groupKey: '{}:{alertname="Checkout is slow"}',
    truncatedAlerts: 0,
    title: '[FIRING:1] Checkout is slow',
    state: 'alerting',
    message: '**Firing**\n\nHalf of all checkouts take longer than 3 s.',
  },
  recovery: {
    status: 'resolved',
    alerts: [
      {
        status: 'resolved',
        labels: {
          alertname: 'Checkout is slow',
          grafana_folder: 'Shop',
          service: 'checkout',
          severity: 'high',
        },
        annotations: { summary: 'Checkout is slow' },
        startsAt: '2026-02-03T10:20:00Z',
        endsAt: '2026-02-03T10:40:00Z',
        fingerprint: 'a1b2c3d4e5f60718',
      },
    ],
    title: '[RESOLVED] Checkout is slow',
    state: 'ok',
  },
  mapping: {
    split: 'alerts',
    fields: {
      // Alerts of one rule differ in their labels.
      title: {
        expression: `first(${titleOf(`first(${RULE}, item.labels.alertname)`, LABELS)}, item.labels.alertname, item.annotations.summary, item.annotations.description, item.valueString, webhook.title)`,
      },
      // Grafana has no built-in severity. A label may contain one.
      severity: { template: '{{item.labels.severity}}', values: SEVERITIES, default: 'error' },
      description: {
        template:
          '{{item.annotations.Error|item.annotations.description|item.annotations.summary|item.annotations.message|item.valueString|item.labels.rulename|item.labels.alertname|webhook.title}}',
      },
      source: { template: 'Grafana' },
      service: { template: '{{item.labels.service|item.labels.job}}' },
      environment: { template: '{{item.labels.environment|item.labels.env}}' },
      team: { template: '{{item.labels.team}}' },
      // The Test button of a contact point sends an alert that never ends.
      status: {
        expression:
          'first(webhook.groupKey, "").startsWith("test-") || (first(item.labels.alertname, "") == "TestAlert" && first(item.labels.instance, "") == "Grafana") ? "test" : first(item.status, webhook.status, "")',
      },
      // Each instance of a cluster may repeat what another one has already reported as resolved.
      occurrence: { template: '{{item.startsAt}}' },
      // The fingerprint is a hash of all labels, the hidden id of the rule among them.
      dedupKey: { template: '{{item.fingerprint|item.labels}}' },
    },
    custom: {
      status: { template: '{{item.status}}' },
      folder: { template: '{{item.labels.grafana_folder}}' },
      runbook: { template: '{{item.annotations.runbook_url}}' },
      link: { template: '{{item.generatorURL|webhook.externalURL}}' },
    },
  },
  expected: [
    {
      title: 'Checkout is slow',
      severity: 'error',
      description: 'Half of all checkouts take longer than 3 s.',
      source: 'Grafana',
      service: 'checkout',
      status: 'firing',
      dedupKey: 'a1b2c3d4e5f60718',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
