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
    threshold: '100',
    value: '412',
    service: 'proxy',
    hosturl: 'https://example.logicmonitor.com/',
  },
  recovery: { alertstatus: 'clear', level: 'clear', value: '12' },
  mapping: {
    fields: {
      title: { template: '{{webhook.datasource}}: {{webhook.datapoint}} on {{webhook.host}}' },
      severity: { template: '{{webhook.level}}', values: { ...SEVERITIES, clear: 'info' }, default: 'error' },
      description: {
        // Event alerts have no data point.
        template:
          '{{#webhook.datapoint}}{{webhook.datapoint}} of {{webhook.instance}} is {{webhook.value}} (threshold {{webhook.threshold}}){{/webhook.datapoint}}{{^webhook.datapoint}}{{webhook.eventmsg|webhook.eventlogmsg|webhook.dsdesc|webhook.alertid}}{{/webhook.datapoint}}',
      },
      source: { template: 'LogicMonitor' },
      service: { template: '{{webhook.service|webhook.host}}' },
      team: { template: '{{webhook.group}}' },
      status: { template: '{{webhook.alertstatus}}', values: { ack: 'firing', test: 'firing' } },
      // An alert keeps its id until it is cleared.
      dedupKey: { template: '{{webhook.alertid}}' },
    },
    custom: {
      status: { template: '{{webhook.alertstatus}}' },
      alert: { template: '{{webhook.alertid}}' },
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
      dedupKey: 'LMD4011',
    },
  ],
} satisfies CatalogueSource;
