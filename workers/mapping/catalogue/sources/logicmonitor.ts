import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'logicmonitor',
  title: 'LogicMonitor',
  documentation: 'https://www.logicmonitor.com/support/alerts/integrations/custom-http-delivery',
  sample: {
    alertid: 'LMD4011',
    alertstatus: 'active',
    alerttype: 'alert',
    datasource: 'HAProxy-',
    datapoint: 'QueueLength',
    date: '2026-02-03 10:20:00 CET',
    dsdesc: 'Watches the queues of the proxy.',
    group: 'edge',
    host: 'proxy-2',
    instance: 'backend',
    level: 'critical',
    duration: '4',
    startepoch: '1770110400',
    threshold: '100',
    value: '412',
    service: 'proxy',
    hosturl: 'https://example.logicmonitor.com/',
  },
  recovery: { alertstatus: 'clear', level: 'clear', value: '12' },
  mapping: {
    fields: {
      title: {
        expression:
          'first(first(webhook.datasource, webhook.dataSource, webhook.eventsource, webhook.batchjob, webhook.service) + first(": " + first(webhook.datapoint, webhook.dataPoint), ""), webhook.datapoint, webhook.dataPoint) + first(" on " + webhook.host, "")',
      },
      severity: {
        template: '{{webhook.level|webhook.error_level|webhook.severity}}',
        values: { ...SEVERITIES, clear: 'info', cleared: 'info' },
        default: 'error',
      },
      description: {
        // Event alerts have no data point.
        template:
          '{{#webhook.datapoint}}{{webhook.datapoint}}{{#webhook.instance}} of {{.}}{{/webhook.instance}}{{#webhook.value}} is {{.}}{{/webhook.value}}{{#webhook.threshold}} (threshold {{.}}){{/webhook.threshold}}{{/webhook.datapoint}}{{^webhook.datapoint}}{{webhook.message|webhook.eventmsg|webhook.eventlogmsg|webhook.dsdesc|webhook.alertid|webhook.alert_id|webhook.alertId}}{{/webhook.datapoint}}',
      },
      source: { template: 'LogicMonitor' },
      service: { template: '{{webhook.service|webhook.host}}' },
      team: { template: '{{webhook.group}}' },
      status: {
        template: '{{webhook.alertstatus|webhook.alert_status|webhook.alertStatus|webhook.status}}',
        values: {
          ack: 'update',
          acknowledged: 'update',
          'add note': 'update',
          escalate: 'firing',
          'de-escalate': 'firing',
          test: 'test',
        },
      },
      // `##STARTEPOCH##`, if your body has it: when the alert began.
      occurrence: { template: '{{webhook.startepoch|webhook.start_epoch|webhook.startEpoch}}' },
      // An alert keeps its id until it is cleared.
      dedupKey: { template: '{{webhook.alertid|webhook.alert_id|webhook.alertId}}' },
    },
    custom: {
      status: { template: '{{webhook.alertstatus|webhook.alert_status|webhook.alertStatus}}' },
      alert: { template: '{{webhook.alertid|webhook.alert_id|webhook.alertId}}' },
      link: { template: '{{webhook.hosturl}}' },
    },
  },
  expected: [
    {
      title: 'HAProxy-: QueueLength on proxy-2',
      severity: 'critical',
      description: 'QueueLength of backend is 412 (threshold 100)',
      source: 'LogicMonitor',
      service: 'proxy',
      team: 'edge',
      status: 'firing',
      occurrence: '1770110400',
      dedupKey: 'LMD4011',
    },
  ],
} satisfies CatalogueSource;
