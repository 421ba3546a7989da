import { keyOf } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'alertsite',
  title: 'AlertSite',
  documentation: 'https://support.smartbear.com/alertsite/docs/alerts/webhooks/index.html',
  sample: {
    source: 'AlertSite',
    notify_type: 'alert',
    custid: 'C404',
    company: 'Example',
    device_id: '9010',
    device_name: 'Search API',
    timestamp: '2026-02-03T10:20:00Z',
    status: 'error',
    errcount: '2',
    status_text: 'The response has no results',
    location: 'Amsterdam',
    device_type: 'API Monitor',
    url: 'https://search.example.com/?q=a',
    http_status: '200',
  },
  recovery: {
    notify_type: 'clear',
    timestamp: '2026-02-03T10:40:00Z',
    status: '0',
    errcount: '0',
    status_text: 'No error',
  },
  mapping: {
    fields: {
      // The status is a code of AlertSite, which changes.
      title: {
        template:
          '{{webhook.device_name|webhook.url|webhook.source}}{{#webhook.location}} ({{.}}){{/webhook.location}}',
      },
      severity: {
        template: '{{webhook.notify_type}}',
        values: { ...SEVERITIES, alert: 'error', clear: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.status_text|webhook.status}}' },
      source: { template: 'AlertSite' },
      service: { template: '{{webhook.device_name}}' },
      status: { template: '{{webhook.notify_type}}' },
      occurrence: { template: '{{webhook.timestamp}}' },
      // Each location reports a monitor, and its recovery (`clear`), on its own.
      dedupKey: { expression: keyOf('webhook.device_id', 'webhook.location') },
    },
    custom: { location: { template: '{{webhook.location}}' }, link: { template: '{{webhook.url}}' } },
  },
  expected: [
    {
      title: 'Search API (Amsterdam)',
      severity: 'error',
      description: 'The response has no results',
      source: 'AlertSite',
      service: 'Search API',
      status: 'firing',
      dedupKey: '9010/Amsterdam',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
