import { keyOf, part } from '../keys.js';
import { PRIORITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** `[P2] [Triggered on {host:db-1}] `: the state, which changes in the life of the alert, and the priority. */
const STATE = String.raw`^(?:\[TEST\] )?(?:\[P[1-5]\] )?(?:\[(?:(?:Re-)?(?:Triggered|Alert|Warn|No Data)|Recovered|Renotify)(?: on [^\]]*)?\] )?(?:\[P[1-5]\] )?((?s:.+))$`;
const TITLES = ['alert_title', 'title', 'body', 'text', 'text_only_msg', 'alert_status', 'message'];

export default {
  name: 'datadog',
  title: 'Datadog monitor',
  documentation: 'https://docs.datadoghq.com/integrations/webhooks/',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Integrations → Webhooks → your webhook → Custom Headers: {"X-Muster-Token": "…"}',
  },
  sample: {
    id: '7700112233',
    title: '[Triggered] The mail queue is growing',
    body: 'More than 5,000 emails are waiting.',
    date: '1770113640000',
    last_updated: '1770113640000',
    event_type: 'metric_alert_monitor',
    org: { id: '4411', name: 'Example' },
    alert_id: '90871',
    alert_cycle_key: '7700112230',
    alert_metric: 'mail.queue.length',
    alert_priority: 'P2',
    alert_status: 'mail.queue.length over host:mail-1 was > 5000',
    alert_title: 'The mail queue is growing',
    alert_transition: 'Triggered',
    alert_type: 'error',
    alert_scope: ['host:mail-1'],
    host_name: 'mail-1',
    priority: 'normal',
    tags: ['env:staging', 'service:mail', 'team:messaging', 'monitor'],
  },
  otherSamples: [
    {
      id: '7700112233',
      title: '[Triggered] The mail queue is growing',
      body: 'More than 5,000 emails are waiting.',
      alert_id: '90871',
      alert_cycle_key: '7700112230',
      alert_type: 'error',
      alert_scope: 'host:mail-1',
      tags: 'env:staging,service:mail',
    },
  ],
  recovery: {
    id: '7700112244',
    title: '[Recovered] The mail queue is growing',
    alert_transition: 'Recovered',
    alert_type: 'success',
    date: '1770114240000',
  },
  mapping: {
    fields: {
      title: {
        expression: `extract(first(${TITLES.map((name) => `webhook.${name}`).join(', ')}), r"${STATE}")`,
      },
      severity: {
        // `priority` of an event is `normal` or `low`, but some payloads have that of the monitor there.
        expression:
          'first(webhook.alert_priority, extract(webhook.priority, "^P[1-5]$"), webhook.alert_type)',
        values: { ...PRIORITIES, error: 'error', warning: 'warning', success: 'info', info: 'info' },
        default: 'error',
      },
      description: {
        template:
          '{{webhook.body|webhook.text|webhook.text_only_msg|webhook.alert_status|webhook.message|webhook.title}}',
      },
      source: { template: 'Datadog' },
      service: { template: '{{webhook.tags.service}}' },
      environment: { template: '{{webhook.tags.env|webhook.tags.environment}}' },
      team: { template: '{{webhook.tags.team}}' },
      status: {
        // A payload without `$ALERT_TRANSITION` has the type `success` when the alert is over. "Test notifications" begin
        // with `[TEST]`.
        expression:
          'first(webhook.title, webhook.alert_title, "").startsWith("[TEST]") ? "test" : first(webhook.alert_transition, webhook.alert_type)',
        values: {
          'Re-Triggered': 'firing',
          Warn: 'firing',
          'Re-Warn': 'firing',
          'Re-No Data': 'firing',
          Renotify: 'firing',
        },
      },
      // When the event happened.
      occurrence: { template: '{{webhook.date|webhook.last_updated}}' },
      // `$ALERT_CYCLE_KEY` links the events of one group of a monitor from its trigger to its recovery. `$ALERT_ID` is
      // only the monitor: without its group, two hosts would be one alert.
      dedupKey: {
        expression: `first(${part('webhook.alert_cycle_key')}, ${keyOf('webhook.alert_id', 'first(webhook.alert_scope.join(","), webhook.alert_scope, webhook.hostname, webhook.host_name)')})`,
      },
    },
    custom: {
      transition: { template: '{{webhook.alert_transition}}' },
      host: { template: '{{webhook.host_name}}' },
      metric: { template: '{{webhook.alert_metric}}' },
    },
  },
  expected: [
    {
      title: 'The mail queue is growing',
      severity: 'error',
      description: 'More than 5,000 emails are waiting.',
      source: 'Datadog',
      service: 'mail',
      environment: 'staging',
      team: 'messaging',
      status: 'firing',
      dedupKey: '7700112230',
      occurrence: '1770113640000',
    },
  ],
} satisfies CatalogueSource;
