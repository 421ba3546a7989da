import { UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'uptimerobot',
  title: 'UptimeRobot',
  documentation: 'https://help.uptimerobot.com/en/articles/11360876-how-to-set-up-webhook-alerts',
  sample: {
    monitorID: '770011',
    monitorURL: 'https://api.example.com/health',
    monitorFriendlyName: 'API health',
    alertType: '1',
    alertTypeFriendlyName: 'Down',
    alertDetails: 'Connection Timeout',
    alertDateTime: '1770113640',
    alertID: '550022',
  },
  recovery: { alertType: '2', alertTypeFriendlyName: 'Up', alertDetails: 'HTTP 200 - OK', alertID: '550023' },
  mapping: {
    fields: {
      title: { template: '{{webhook.monitorFriendlyName}} is {{webhook.alertTypeFriendlyName}}' },
      severity: {
        template: '{{webhook.alertTypeFriendlyName}}',
        values: { ...UP_OR_DOWN, 'SSL expiry': 'warning', 'Domain expiry': 'warning' },
        default: 'error',
      },
      description: { template: '{{webhook.alertDetails|webhook.alertTypeFriendlyName}}' },
      source: { template: 'UptimeRobot' },
      service: { template: '{{webhook.monitorFriendlyName}}' },
      status: {
        template: '{{webhook.alertTypeFriendlyName}}',
        values: { 'SSL expiry': 'firing', 'Domain expiry': 'firing' },
      },
      // The monitor. Notices about a certificate or domain are different problems and have no recovery.
      dedupKey: {
        expression:
          'webhook.alertTypeFriendlyName.lowerAscii() in ["down", "up"] ? string(webhook.monitorID) : ""',
      },
    },
    custom: { link: { template: '{{webhook.monitorURL}}' } },
  },
  expected: [
    {
      title: 'API health is Down',
      severity: 'critical',
      description: 'Connection Timeout',
      source: 'UptimeRobot',
      service: 'API health',
      status: 'firing',
      dedupKey: '770011',
    },
  ],
} satisfies CatalogueSource;
