import { keyOf } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** The alarm is the message, or the whole payload if the subscription has raw message delivery. */
const ALARMS = ['webhook.Message', 'webhook'];
const alarm = (name: string): string => ALARMS.map((path) => `${path}.${name}`).join('|');
const NAMESPACES = ALARMS.flatMap((path) => [
  `${path}.Trigger.Namespace`,
  `${path}.Trigger.Metrics.filter(m, has(m.MetricStat))[0].MetricStat.Metric.Namespace`,
]);
const NAMED = ALARMS.map((path) => keyOf(`${path}.AWSAccountId`, `${path}.Region`, `${path}.AlarmName`));

export default {
  name: 'cloudwatch-sns',
  title: 'Amazon CloudWatch by SNS',
  documentation:
    'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html',
  signature: { scheme: 'aws-sns', setup: 'Enter the ARN of the topic that the alarm notifies' },
  sample: {
    Type: 'Notification',
    MessageId: '5f1f2a34-0000-5000-8000-1234567890ab',
    TopicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms',
    Subject: 'ALARM: "orders-latency" in EU (Frankfurt)',
    Message: JSON.stringify({
      AlarmName: 'orders-latency',
      AlarmDescription: 'Orders take longer than 2 s',
      AWSAccountId: '111122223333',
      NewStateValue: 'ALARM',
      NewStateReason: 'Threshold Crossed: 3 datapoints were greater than the threshold (2.0).',
      StateChangeTime: '2026-02-03T10:20:00.000+0000',
      Region: 'EU (Frankfurt)',
      AlarmArn: 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:orders-latency',
      OldStateValue: 'OK',
      Trigger: {
        MetricName: 'TargetResponseTime',
        Namespace: 'AWS/ApplicationELB',
        Statistic: 'AVERAGE',
        Dimensions: [{ value: 'app/orders/50dc6c495c0c9188', name: 'LoadBalancer' }],
        Period: 60,
        Threshold: 2,
      },
    }),
    Timestamp: '2026-02-03T10:20:01.000Z',
    SignatureVersion: '1',
    Signature: 'ZXhhbXBsZQ==',
    SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-example.pem',
    UnsubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=example',
  },
  otherSamples: [
    {
      Type: 'Notification',
      MessageId: '5f1f2a34-0000-5000-8000-1234567890ac',
      TopicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms',
      Subject: 'Backup',
      Message: 'The backup of db-3 failed',
      Timestamp: '2026-02-03T10:20:01.000Z',
      SignatureVersion: '1',
      Signature: 'ZXhhbXBsZQ==',
      SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-example.pem',
      UnsubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=example',
    },
  ],
  recovery: {
    Subject: 'OK: "orders-latency" in EU (Frankfurt)',
    Message: JSON.stringify({
      AlarmName: 'orders-latency',
      AlarmDescription: 'Orders take longer than 2 s',
      AWSAccountId: '111122223333',
      NewStateValue: 'OK',
      NewStateReason: 'Threshold Crossed: 3 datapoints were not greater than the threshold (2.0).',
      StateChangeTime: '2026-02-03T10:30:00.000+0000',
      Region: 'EU (Frankfurt)',
      AlarmArn: 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:orders-latency',
      OldStateValue: 'ALARM',
    }),
  },
  mapping: {
    expandJson: ['Message'],
    fields: {
      // A topic also carries texts, events of RDS and events of EventBridge.
      title: {
        template: `{{${alarm('AlarmName')}|webhook.Message["Event Message"]|webhook.Subject|webhook.Message.detail.alarmName|webhook.Message["detail-type"]|${alarm('AlarmDescription')}|${alarm('NewStateReason')}|webhook.Message}}`,
      },
      severity: {
        template: `{{webhook.MessageAttributes.severity.Value|${alarm('NewStateValue')}}}`,
        values: { ...SEVERITIES, ALARM: 'critical', INSUFFICIENT_DATA: 'warning' },
        default: 'warning',
      },
      description: {
        template: `{{${alarm('AlarmDescription')}|${alarm('NewStateReason')}|webhook.Message["Event Message"]|webhook.Message}}`,
      },
      source: { template: 'Amazon CloudWatch' },
      // A composite alarm has no metric, an alarm on metric math has several.
      service: {
        expression: `first(${NAMESPACES.join(', ')}, webhook.Message["Source ID"])`,
      },
      environment: { template: '{{webhook.MessageAttributes.environment.Value}}' },
      team: { template: '{{webhook.MessageAttributes.team.Value}}' },
      status: { template: `{{${alarm('NewStateValue')}}}` },
      // SNS does not deliver in order.
      occurrence: {
        expression: 'first(webhook.Message.StateChangeTime, webhook.StateChangeTime).replace("+0000", "Z")',
      },
      // The ARN of the alarm, which older messages lack.
      dedupKey: {
        expression: `first(webhook.Message.AlarmArn, webhook.AlarmArn, ${NAMED.join(', ')})`,
      },
    },
    custom: {
      reason: { template: `{{${alarm('NewStateReason')}}}` },
      region: { template: `{{${alarm('Region')}}}` },
      account: { template: `{{${alarm('AWSAccountId')}}}` },
    },
  },
  expected: [
    {
      title: 'orders-latency',
      severity: 'critical',
      description: 'Orders take longer than 2 s',
      source: 'Amazon CloudWatch',
      service: 'AWS/ApplicationELB',
      status: 'firing',
      dedupKey: 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:orders-latency',
      occurrence: '2026-02-03T10:20:00.000Z',
    },
  ],
} satisfies CatalogueSource;
