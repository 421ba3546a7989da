import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const ARN = 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm';

const notification = (Message: string, more: Record<string, JsonValue> = {}): JsonValue => ({
  Type: 'Notification',
  MessageId: '5f1f2a34-0000-5000-8000-1234567890ab',
  TopicArn: 'arn:aws:sns:eu-west-1:111122223333:ops',
  Message,
  Timestamp: '2026-03-01T08:00:01.000Z',
  SignatureVersion: '1',
  Signature: 'ZXhhbXBsZQ==',
  SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/example.pem',
  ...more,
});

const alarm = (name: string, state: string, time: string, more: Record<string, JsonValue> = {}) => ({
  AlarmName: name,
  AlarmDescription: null,
  AWSAccountId: '111122223333',
  NewStateValue: state,
  NewStateReason: `Threshold Crossed, now ${state}`,
  StateChangeTime: `2026-03-01T${time}:00.000+0000`,
  Region: 'EU (Ireland)',
  AlarmArn: `${ARN}:${name}`,
  ...more,
});

const attributes = {
  MessageAttributes: {
    team: { Type: 'String', Value: 'payments' },
    environment: { Type: 'String', Value: 'staging' },
    severity: { Type: 'String', Value: 'low' },
  },
};

const checkout = (state: string, time: string): JsonValue =>
  notification(
    JSON.stringify(
      alarm('checkout', state, time, {
        AlarmRule: `ALARM("${ARN}:api") OR ALARM("${ARN}:db")`,
        TriggeringChildren: [{ Arn: `${ARN}:api`, State: { Value: state } }],
      }),
    ),
  );

const queue = (name: string, state: string, time: string): JsonValue =>
  notification(
    JSON.stringify(
      alarm(name, state, time, {
        AlarmDescription: 'Messages wait for more than an hour',
        Trigger: {
          Metrics: [
            { Id: 'e1', Expression: 'm1 / 60', ReturnData: true },
            {
              Id: 'm1',
              MetricStat: { Metric: { Namespace: 'AWS/SQS', MetricName: 'ApproximateAgeOfOldestMessage' } },
            },
          ],
        },
      }),
    ),
    attributes,
  );

export default [
  {
    what: 'a composite alarm, which names no metric, ends and is repeated late',
    shape: 'assertible/lambda-cloudwatch-slack issue 72',
    steps: [
      ['alarm', checkout('ALARM', '08:00')],
      ['ok', checkout('OK', '08:10')],
      ['alarm, late', checkout('ALARM', '08:00')],
    ],
    alerts: [
      {
        title: 'checkout',
        severity: 'critical',
        description: 'Threshold Crossed, now ALARM',
        source: 'Amazon CloudWatch',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Threshold Crossed, now OK',
      },
    ],
  },
  {
    what: 'two alarms on metric math, with attributes of the message',
    shape: 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html',
    steps: [
      ['alarm', queue('orders-wait', 'ALARM', '08:00')],
      ['another alarm', queue('refunds-wait', 'ALARM', '08:01')],
      ['no data', queue('orders-wait', 'INSUFFICIENT_DATA', '08:05')],
      ['ok', queue('orders-wait', 'OK', '08:10')],
    ],
    alerts: [
      {
        title: 'orders-wait',
        severity: 'info',
        description: 'Messages wait for more than an hour',
        source: 'Amazon CloudWatch',
        service: 'AWS/SQS',
        environment: 'staging',
        team: 'payments',
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'refunds-wait',
        severity: 'info',
        description: 'Messages wait for more than an hour',
        source: 'Amazon CloudWatch',
        service: 'AWS/SQS',
        environment: 'staging',
        team: 'payments',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a subscription with raw message delivery',
    shape: 'https://docs.aws.amazon.com/sns/latest/dg/sns-large-payload-raw-message-delivery.html',
    steps: [
      [
        'alarm',
        alarm('disk', 'ALARM', '08:00', { Trigger: { Namespace: 'CWAgent', MetricName: 'disk_used' } }),
      ],
      ['ok', alarm('disk', 'OK', '08:10')],
    ],
    alerts: [
      {
        title: 'disk',
        severity: 'critical',
        description: 'Threshold Crossed, now ALARM',
        source: 'Amazon CloudWatch',
        service: 'CWAgent',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Threshold Crossed, now OK',
      },
    ],
  },
  {
    what: 'what else a topic carries: a text and an event of a database',
    shape: 'target/goalert issue 4463 and awsdocs/amazon-rds-user-guide issue 50',
    steps: [
      ['text', notification('The export of invoices failed')],
      [
        'event',
        notification(
          JSON.stringify({
            'Event Source': 'db-instance',
            'Source ID': 'orders',
            'Event ID': 'http://docs.amazonwebservices.com/RDS-EVENT-0004',
            'Event Message': 'DB instance shutdown',
          }),
          { Subject: 'RDS Notification Message' },
        ),
      ],
    ],
    alerts: [
      {
        title: 'The export of invoices failed',
        severity: 'warning',
        description: 'The export of invoices failed',
        source: 'Amazon CloudWatch',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'DB instance shutdown',
        severity: 'warning',
        description: 'DB instance shutdown',
        source: 'Amazon CloudWatch',
        service: 'orders',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
