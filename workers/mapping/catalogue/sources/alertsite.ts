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
  mapping: {
    fields: {
      title: { template: '{{webhook.device_name}}: {{webhook.status}}' },
      severity: { template: '{{webhook.status}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.status_text|webhook.status}}' },
      source: { template: 'AlertSite' },
      service: { template: '{{webhook.device_name}}' },
    },
    custom: { location: { template: '{{webhook.location}}' }, link: { template: '{{webhook.url}}' } },
  },
  expected: [
    {
      title: 'Search API: error',
      severity: 'error',
      description: 'The response has no results',
      source: 'AlertSite',
      service: 'Search API',
    },
  ],
} satisfies CatalogueSource;
