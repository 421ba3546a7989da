import { UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'pingdom',
  title: 'Pingdom',
  documentation: 'https://www.pingdom.com/resources/webhooks/',
  sample: {
    check_id: 4401,
    check_name: 'Shop front page',
    check_type: 'HTTP',
    check_params: {
      full_url: 'https://shop.example.com/',
      hostname: 'shop.example.com',
      port: 443,
      url: '/',
    },
    tags: ['shop'],
    previous_state: 'UP',
    current_state: 'DOWN',
    importance_level: 'HIGH',
    state_changed_timestamp: 1770113640,
    state_changed_utc_time: '2026-02-03T10:14:00',
    long_description: 'Socket timeout, unable to connect',
    description: 'Timeout',
    first_probe: { ip: '192.0.2.10', location: 'Hamburg, Germany' },
  },
  recovery: { previous_state: 'DOWN', current_state: 'UP', long_description: 'OK', description: 'OK' },
  mapping: {
    fields: {
      title: { template: '{{webhook.check_name}} is {{webhook.current_state}}' },
      severity: {
        template: '{{webhook.current_state}}',
        values: { ...UP_OR_DOWN, failing: 'error', success: 'info', slow: 'warning' },
      },
      description: {
        template: '{{webhook.long_description|webhook.description|webhook.current_state}}',
      },
      source: { template: 'Pingdom' },
      service: { template: '{{webhook.check_params.hostname|webhook.check_name}}' },
      status: { template: '{{webhook.current_state}}', values: { slow: 'firing' } },
      // The check.
      dedupKey: { template: '{{webhook.check_id}}' },
    },
    custom: {
      importance: { template: '{{webhook.importance_level}}' },
      location: { template: '{{webhook.first_probe.location}}' },
      link: { template: '{{webhook.check_params.full_url}}' },
    },
  },
  expected: [
    {
      title: 'Shop front page is DOWN',
      severity: 'critical',
      description: 'Socket timeout, unable to connect',
      source: 'Pingdom',
      service: 'shop.example.com',
      status: 'firing',
      dedupKey: '4401',
    },
  ],
} satisfies CatalogueSource;
