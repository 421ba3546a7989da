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
  recovery: {
    previous_state: 'DOWN',
    current_state: 'UP',
    state_changed_timestamp: 1770114240,
    long_description: 'OK',
    description: 'OK',
  },
  mapping: {
    // The next event says whether the check is down indeed.
    filter: 'first(webhook.current_state, "") != "UNCONFIRMED_DOWN"',
    fields: {
      // A recovery names the problem in `previous_state`.
      title: {
        expression:
          'first(webhook.check_name, webhook.check_params.hostname, webhook.description) + first({"FAILING": " fails", "SLOW": " is slow"}[webhook.current_state in ["UP", "SUCCESS", "PAUSED"] ? webhook.previous_state : webhook.current_state], " is down")',
      },
      severity: {
        template: '{{webhook.current_state}}',
        values: { ...UP_OR_DOWN, failing: 'error', success: 'info', slow: 'warning', paused: 'info' },
        default: 'error',
      },
      description: {
        template: '{{webhook.long_description|webhook.description|webhook.current_state}}',
      },
      source: { template: 'Pingdom' },
      service: { template: '{{webhook.check_params.hostname|webhook.check_name}}' },
      environment: { template: '{{webhook.tags.environment|webhook.tags.env}}' },
      team: { template: '{{webhook.tags.team}}' },
      // Nobody watches a paused check.
      status: { template: '{{webhook.current_state}}', values: { slow: 'firing', paused: 'resolved' } },
      // In seconds.
      occurrence: { template: '{{webhook.state_changed_timestamp}}' },
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
      title: 'Shop front page is down',
      severity: 'critical',
      description: 'Socket timeout, unable to connect',
      source: 'Pingdom',
      service: 'shop.example.com',
      status: 'firing',
      dedupKey: '4401',
      occurrence: '1770113640',
    },
  ],
} satisfies CatalogueSource;
