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
    alert_correlation_id: '000e1f2a3b4c4d5e8f90a1b2c3d4e5f6',
    alert_event: 'ALERT_STATE_EVENT_START',
  },
  recovery: { text: 'The origin of shop.example.com responds again', alert_event: 'ALERT_STATE_EVENT_END' },
  mapping: {
    fields: {
      title: { template: '{{webhook.name|webhook.text|webhook.alert_type}}' },
      severity: { template: '{{webhook.data.severity}}', values: SEVERITIES, default: 'error' },
      description: { template: '{{webhook.text|webhook.alert_type}}' },
      source: { template: 'Cloudflare' },
      service: { template: '{{webhook.data.unreachable_zones[0].zone_name|webhook.alert_type}}' },
      status: {
        template: '{{webhook.alert_event}}',
        values: { ALERT_STATE_EVENT_START: 'firing', ALERT_STATE_EVENT_END: 'resolved' },
      },
      // The notifications of an incident share the correlation id. Some types of alert have none.
      dedupKey: { template: '{{webhook.alert_correlation_id}}' },
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
      status: 'firing',
      dedupKey: '000e1f2a3b4c4d5e8f90a1b2c3d4e5f6',
    },
  ],
} satisfies CatalogueSource;
