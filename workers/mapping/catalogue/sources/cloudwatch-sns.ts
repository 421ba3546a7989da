import type { CatalogueSource } from '../source.js';

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
      title: {
        template:
          '{{webhook.Message.AlarmName|webhook.Subject|webhook.Message.AlarmDescription|webhook.Message.NewStateReason|webhook.Message}}',
      },
      severity: {
        template: '{{webhook.Message.NewStateValue}}',
        values: { ALARM: 'critical', INSUFFICIENT_DATA: 'warning', OK: 'info' },
        default: 'warning',
      },
      description: {
        template: '{{webhook.Message.AlarmDescription|webhook.Message.NewStateReason|webhook.Message}}',
      },
      source: { template: 'Amazon CloudWatch' },
      service: { template: '{{webhook.Message.Trigger.Namespace|webhook.TopicArn}}' },
      status: { template: '{{webhook.Message.NewStateValue}}' },
      // The ARN of the alarm, which older messages lack.
      dedupKey: {
        template:
          '{{#webhook.Message.AlarmArn}}{{.}}{{/webhook.Message.AlarmArn}}{{^webhook.Message.AlarmArn}}{{#webhook.Message.AlarmName}}{{webhook.Message.AWSAccountId}}/{{webhook.Message.Region}}/{{.}}{{/webhook.Message.AlarmName}}{{/webhook.Message.AlarmArn}}',
      },
    },
    custom: {
      reason: { template: '{{webhook.Message.NewStateReason}}' },
      region: { template: '{{webhook.Message.Region}}' },
      account: { template: '{{webhook.Message.AWSAccountId}}' },
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
    },
  ],
} satisfies CatalogueSource;
