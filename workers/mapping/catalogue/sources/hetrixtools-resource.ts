import type { CatalogueSource } from '../source.js';

export default {
  name: 'hetrixtools-resource',
  title: 'HetrixTools uptime and resource usage',
  documentation: 'https://docs.hetrixtools.com/webhooks-resource-usage/',
  signature: { scheme: 'hetrixtools', setup: 'Contact Lists → your list → Webhook → Authentication Token' },
  sample: {
    monitor_id: '0123456789abcdef0123456789abcdef',
    monitor_name: 'relay-1',
    timestamp: 1770113640,
    resource_usage: {
      resource_type: 'ram',
      current_usage: '91.20',
      average_usage: '90.75',
      average_minutes: '5',
    },
  },
  mapping: {
    fields: {
      title: {
        expression:
          'first(webhook.resource_usage.resource_type + " usage of " + first(webhook.monitor_name, webhook.monitor_target), webhook.monitor_name, webhook.monitor_target, webhook.resource_usage.resource_type + " usage")',
      },
      // Only uptime monitors have a status.
      severity: {
        template: '{{webhook.monitor_status}}',
        values: { offline: 'critical', online: 'info', maintenance: 'info' },
        default: 'warning',
      },
      description: {
        expression:
          'has(webhook.resource_usage) ? first(webhook.resource_usage.resource_type, "The usage") + " is at " + string(webhook.resource_usage.current_usage) + "%" + first(", " + string(webhook.resource_usage.average_usage) + "% over " + string(webhook.resource_usage.average_minutes) + " minutes", "") : first(size(webhook.monitor_errors) > 0 ? webhook.monitor_target + ": " + webhook.monitor_errors.map(place, first(place + ": " + webhook.monitor_errors[place], place)).join(", ") : "", webhook.monitor_target + " is " + webhook.monitor_status, webhook.monitor_target)',
      },
      source: { template: 'HetrixTools' },
      service: { template: '{{webhook.monitor_name}}' },
      status: { template: '{{webhook.monitor_status}}', values: { maintenance: 'resolved' } },
      // When the status changed.
      occurrence: { template: '{{webhook.timestamp}}' },
      // The monitor. Only an uptime monitor reports its recovery.
      dedupKey: { template: '{{#webhook.monitor_status}}{{webhook.monitor_id}}{{/webhook.monitor_status}}' },
    },
    custom: { monitor: { template: '{{webhook.monitor_id}}' } },
  },
  expected: [
    {
      title: 'ram usage of relay-1',
      severity: 'warning',
      description: 'ram is at 91.20%, 90.75% over 5 minutes',
      source: 'HetrixTools',
      service: 'relay-1',
      occurrence: '1770113640',
    },
  ],
} satisfies CatalogueSource;
