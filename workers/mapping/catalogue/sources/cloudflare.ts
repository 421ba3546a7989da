import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'cloudflare',
  title: 'Cloudflare notification',
  documentation: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
  signature: { scheme: 'cloudflare', setup: 'Notifications → Destinations → Webhooks → Secret' },
  sample: {
    name: 'Shop origin',
    text: 'The origin of shop.example.com has not responded for 5 minutes',
    data: { unreachable_zones: [{ zone_name: 'shop.example.com', host: 'origin-1' }] },
    ts: 1770113640,
    account_id: 'example-account',
    policy_id: 'example-policy',
    alert_type: 'real_origin_monitoring',
    alert_event: 'ALERT_STATE_EVENT_START',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.name|webhook.text|webhook.alert_type}}' },
      severity: { template: '{{webhook.data.severity}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.text|webhook.alert_type}}' },
      source: { template: 'Cloudflare' },
      service: { template: '{{webhook.data.unreachable_zones[0].zone_name|webhook.alert_type}}' },
    },
    custom: { type: { template: '{{webhook.alert_type}}' }, event: { template: '{{webhook.alert_event}}' } },
  },
  expected: [
    {
      title: 'Shop origin',
      severity: 'error',
      description: 'The origin of shop.example.com has not responded for 5 minutes',
      source: 'Cloudflare',
      service: 'shop.example.com',
    },
  ],
} satisfies CatalogueSource;
