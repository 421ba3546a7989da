import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const ARN = 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm';

const event = (name: string, type: string, detail: Record<string, JsonValue>): JsonValue => ({
  version: '0',
  id: '00000000-0000-4000-8000-000000000001',
  'detail-type': `CloudWatch Alarm ${type} Change`,
  source: 'aws.cloudwatch',
  account: '111122223333',
  time: '2026-03-01T08:00:00Z',
  region: 'eu-west-1',
  resources: [`${ARN}:${name}`],
  detail: { alarmName: name, ...detail },
});

const state = (value: string, time: string) => ({
  value,
  reason: `Threshold Crossed, now ${value}`,
  timestamp: `2026-03-01T${time}:00.000+0000`,
});

const cpu = (name: string, value: string, time: string): JsonValue =>
  event(name, 'State', {
    state: state(value, time),
    configuration: {
      metrics: [
        { id: 'e1', expression: 'm1 * 100', returnData: true },
        { id: 'm1', metricStat: { metric: { namespace: 'AWS/EC2', name: 'CPUUtilization' } } },
      ],
    },
  });

const composite = (value: string, time: string): JsonValue => ({
  source: 'aws.cloudwatch',
  alarmArn: `${ARN}:shop`,
  accountId: '111122223333',
  time: `2026-03-01T${time}:00.000+0000`,
  region: 'eu-west-1',
  alarmData: {
    alarmName: 'shop',
    state: state(value, time),
    configuration: { alarmRule: 'ALARM(api)', description: 'Customers cannot order' },
  },
});

export default [
  {
    what: 'two alarms: one ends, one is created, changed and deleted',
    shape: 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html',
    steps: [
      [
        'created',
        event('api-cpu', 'Configuration', {
          operation: 'create',
          state: state('INSUFFICIENT_DATA', '07:00'),
        }),
      ],
      ['alarm', cpu('api-cpu', 'ALARM', '08:00')],
      ['another alarm', cpu('db-cpu', 'ALARM', '08:01')],
      ['ok', cpu('api-cpu', 'OK', '08:10')],
      ['alarm, late', cpu('api-cpu', 'ALARM', '08:00')],
      ['deleted', event('db-cpu', 'Configuration', { operation: 'delete', state: state('ALARM', '08:01') })],
    ],
    alerts: [
      {
        title: 'api-cpu',
        severity: 'critical',
        description: 'Threshold Crossed, now ALARM',
        source: 'Amazon CloudWatch',
        service: 'AWS/EC2',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Threshold Crossed, now OK',
      },
      {
        title: 'db-cpu',
        severity: 'critical',
        description: 'Threshold Crossed, now ALARM',
        source: 'Amazon CloudWatch',
        service: 'AWS/EC2',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'a composite alarm calls a function',
    shape:
      'awslabs/aws-lambda-rust-runtime lambda-events/src/fixtures/example-cloudwatch-alarm-composite.json',
    steps: [
      ['alarm', composite('ALARM', '08:00')],
      ['repeated', composite('ALARM', '08:02')],
      ['ok', composite('OK', '08:10')],
    ],
    alerts: [
      {
        title: 'shop',
        severity: 'critical',
        description: 'Customers cannot order',
        source: 'Amazon CloudWatch',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 3,
      },
    ],
  },
] satisfies Story[];
