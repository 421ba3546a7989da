import { keyOf, part } from '../keys.js';
import { SEVERITIES, UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

const HOST = 'first(webhook.host, webhook.hostname)';
const CHECK = 'first(webhook.service, webhook.check, webhook.title)';

export default {
  name: 'generic-check',
  title: 'Generic: host, service, state and output',
  documentation: 'https://www.monitoring-plugins.org/doc/guidelines.html',
  sample: {
    host: 'db-3',
    service: 'disk /var',
    state: 'CRITICAL',
    output: 'DISK CRITICAL - 2% of /var is free',
  },
  recovery: { state: 'OK', output: 'DISK OK - 61% of /var is free' },
  mapping: {
    fields: {
      // Without the state, which changes.
      title: {
        expression:
          'first(webhook.title, first(webhook.service, webhook.check) + " on " + first(webhook.host, webhook.hostname), webhook.service, webhook.check, webhook.host, webhook.hostname)',
      },
      severity: {
        template: '{{webhook.severity|webhook.state|webhook.status}}',
        values: {
          ...SEVERITIES,
          ...UP_OR_DOWN,
          unknown: 'warning',
          unreachable: 'error',
          ...{ 0: 'info', 1: 'warning', 2: 'critical', 3: 'warning' },
        },
        default: 'error',
      },
      description: { template: '{{webhook.output|webhook.message}}' },
      source: { template: '{{webhook.source}}', default: 'Webhook' },
      service: { template: '{{webhook.service|webhook.check|webhook.host|webhook.hostname}}' },
      environment: { template: '{{webhook.environment|webhook.env}}' },
      team: { template: '{{webhook.team}}' },
      // Numbers are the exit codes of a plug-in.
      status: {
        template: '{{webhook.state|webhook.status}}',
        values: { 0: 'resolved', 1: 'firing', 2: 'firing', 3: 'firing' },
      },
      // A check of the host itself names no service. Some senders have only a title in its place.
      dedupKey: { expression: `first(${keyOf(HOST, CHECK)}, ${part(HOST)})` },
    },
    custom: { host: { template: '{{webhook.host|webhook.hostname}}' } },
  },
  expected: [
    {
      title: 'disk /var on db-3',
      severity: 'critical',
      description: 'DISK CRITICAL - 2% of /var is free',
      source: 'Webhook',
      service: 'disk /var',
      status: 'firing',
      dedupKey: 'db-3/disk /var',
    },
  ],
} satisfies CatalogueSource;
