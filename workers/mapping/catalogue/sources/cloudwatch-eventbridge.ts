import type { CatalogueSource } from '../source.js';

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
      },
      previousState: { value: 'ALARM' },
    },
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.detail.alarmName|webhook.detail.configuration.description|webhook.detail.state.reason}}',
      },
      severity: {
        template: '{{webhook.detail.state.value}}',
        values: { ALARM: 'critical', INSUFFICIENT_DATA: 'warning', OK: 'info' },
      },
      description: {
        template: '{{webhook.detail.configuration.description|webhook.detail.state.reason}}',
      },
      source: { template: 'Amazon CloudWatch' },
      service: { template: '{{webhook.detail.configuration.metrics[0].metricStat.metric.namespace}}' },
      status: { template: '{{webhook.detail.state.value}}' },
      // The ARN of the alarm.
      dedupKey: { template: '{{webhook.resources[0]}}' },
    },
    custom: {
      reason: { template: '{{webhook.detail.state.reason}}' },
      region: { template: '{{webhook.region}}' },
      account: { template: '{{webhook.account}}' },
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
    },
  ],
} satisfies CatalogueSource;
