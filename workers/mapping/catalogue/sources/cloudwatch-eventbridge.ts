import type { CatalogueSource } from '../source.js';

/** An event has the alarm under `detail`, an alarm's own action under `alarmData`. */
const ALARMS = ['webhook.detail', 'webhook.alarmData'];
const alarm = (name: string): string => ALARMS.map((path) => `${path}.${name}`).join('|');

export default {
  name: 'cloudwatch-eventbridge',
  title: 'Amazon CloudWatch by EventBridge',
  documentation:
    'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'EventBridge → API destinations → Connections → API Key: X-Muster-Token',
  },
  sample: {
    version: '0',
    id: 'c4c1c1c9-6542-4a1d-8e8f-000000000001',
    'detail-type': 'CloudWatch Alarm State Change',
    source: 'aws.cloudwatch',
    account: '111122223333',
    time: '2026-02-03T10:20:00Z',
    region: 'eu-central-1',
    resources: ['arn:aws:cloudwatch:eu-central-1:111122223333:alarm:orders-5xx'],
    detail: {
      alarmName: 'orders-5xx',
      state: {
        value: 'ALARM',
        reason: 'Threshold Crossed: 1 datapoint [14.0] was greater than the threshold (5.0).',
        reasonData: '{"version":"1.0","threshold":5.0}',
        timestamp: '2026-02-03T10:20:00.000+0000',
      },
      previousState: { value: 'OK' },
      configuration: {
        description: 'The orders service responds with errors',
        metrics: [
          {
            id: 'm1',
            metricStat: {
              metric: { namespace: 'AWS/ApiGateway', name: '5XXError', dimensions: { ApiName: 'orders' } },
              period: 60,
              stat: 'Sum',
            },
            returnData: true,
          },
        ],
      },
    },
  },
  recovery: {
    id: 'c4c1c1c9-6542-4a1d-8e8f-000000000002',
    detail: {
      state: {
        value: 'OK',
        reason: 'Threshold Crossed: 1 datapoint [0.0] was not greater than the threshold (5.0).',
        timestamp: '2026-02-03T10:30:00.000+0000',
      },
      previousState: { value: 'ALARM' },
    },
  },
  mapping: {
    // The creation or a change of an alarm repeats its state. Nobody reports the recovery of a deleted alarm.
    filter: 'first(webhook.detail.operation, "delete") == "delete"',
    fields: {
      title: {
        template: `{{${alarm('alarmName')}|${alarm('configuration.description')}|${alarm('state.reason')}}}`,
      },
      severity: {
        template: `{{${alarm('state.value')}}}`,
        values: { ALARM: 'critical', INSUFFICIENT_DATA: 'warning', OK: 'info' },
        default: 'warning',
      },
      description: {
        template: `{{${alarm('configuration.description')}|${alarm('state.reason')}}}`,
      },
      source: { template: 'Amazon CloudWatch' },
      // A composite alarm has no metric, an alarm on metric math has several.
      service: {
        expression: `first(${ALARMS.map((path) => `${path}.configuration.metrics.filter(m, has(m.metricStat))[0].metricStat.metric.namespace`).join(', ')})`,
      },
      status: {
        expression: `first(webhook.detail.operation, "") == "delete" ? "resolved" : first(webhook.detail.state.value, webhook.alarmData.state.value)`,
      },
      occurrence: {
        expression:
          'first(webhook.detail.state.timestamp, webhook.alarmData.state.timestamp, webhook.time).replace("+0000", "Z")',
      },
      // The ARN of the alarm.
      dedupKey: { template: '{{webhook.resources[0]|webhook.alarmArn}}' },
    },
    custom: {
      reason: { template: `{{${alarm('state.reason')}}}` },
      region: { template: '{{webhook.region}}' },
      account: { template: '{{webhook.account|webhook.accountId}}' },
    },
  },
  expected: [
    {
      title: 'orders-5xx',
      severity: 'critical',
      description: 'The orders service responds with errors',
      source: 'Amazon CloudWatch',
      service: 'AWS/ApiGateway',
      status: 'firing',
      dedupKey: 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:orders-5xx',
      occurrence: '2026-02-03T10:20:00.000Z',
    },
  ],
} satisfies CatalogueSource;
