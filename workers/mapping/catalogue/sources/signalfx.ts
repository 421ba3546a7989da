import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'signalfx',
  title: 'Splunk Observability (SignalFx)',
  documentation:
    'https://help.splunk.com/en/splunk-observability-cloud/manage-notifications/notification-services/webhooks',
  signature: {
    scheme: 'splunk-observability',
    setup: 'Data Management → Webhook → your integration → Shared Secret',
  },
  sample: {
    severity: 'Major',
    status: 'anomalous',
    statusExtended: 'anomalous',
    detector: 'Queues',
    detectorUrl: 'https://app.signalfx.com/#/detector/EXAMPLE',
    incidentId: '404',
    originatingMetric: 'queue.length',
    description: 'The value of queue.length is above 1000.',
    messageBody: 'Rule "Long queue" in detector "Queues" triggered.',
    messageTitle: 'Major Alert: Long queue (Queues)',
    rule: 'Long queue',
    runbookUrl: null,
  },
  recovery: { status: 'ok', statusExtended: 'ok', messageTitle: 'Back to normal: Long queue (Queues)' },
  mapping: {
    // An incident is over for ever; the next one has an id of its own.
    final: true,
    fields: {
      // `messageTitle` begins with the state: "Back to normal: Long queue (Queues)".
      title: {
        expression:
          'first(webhook.rule + (webhook.rule == webhook.detector ? "" : " (" + webhook.detector + ")"), extract(webhook.messageTitle, "^(?:[A-Za-z]+ Alert|Back to normal|Manually resolved|Stopped): (.+)"), webhook.messageTitle, webhook.rule, webhook.detector, webhook.originatingMetric, webhook.description, webhook.messageBody)',
      },
      severity: { template: '{{webhook.severity}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.description|webhook.messageBody}}' },
      source: { template: 'Splunk Observability' },
      service: { template: '{{webhook.detector|webhook.originatingMetric}}' },
      status: {
        template: '{{webhook.statusExtended|webhook.status}}',
        values: { anomalous: 'firing', 'manually resolved': 'resolved', stopped: 'resolved' },
      },
      // The incident of a detector.
      dedupKey: { template: '{{webhook.incidentId}}' },
    },
    custom: {
      status: { template: '{{webhook.statusExtended}}' },
      link: { template: '{{webhook.detectorUrl}}' },
    },
  },
  expected: [
    {
      title: 'Long queue (Queues)',
      severity: 'error',
      description: 'The value of queue.length is above 1000.',
      source: 'Splunk Observability',
      service: 'Queues',
      status: 'firing',
      dedupKey: '404',
    },
  ],
} satisfies CatalogueSource;
