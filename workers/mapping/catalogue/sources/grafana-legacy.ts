import { keyOf, part } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'grafana-legacy',
  title: 'Grafana (legacy alerting, up to version 8)',
  documentation: 'https://grafana.com/docs/grafana/v7.5/alerting/notifications/#webhook',
  sample: {
    dashboardId: 11,
    evalMatches: [{ value: 88.2, metric: 'memory', tags: { instance: 'cache-2' } }],
    message: 'The cache memory is almost full',
    orgId: 1,
    panelId: 2,
    ruleId: 31,
    ruleName: 'Cache memory',
    ruleUrl: 'https://grafana.example.com/d/cache?panelId=2',
    state: 'alerting',
    tags: { team: 'platform' },
    title: '[Alerting] Cache memory',
  },
  recovery: { state: 'ok', title: '[OK] Cache memory', evalMatches: [] },
  mapping: {
    fields: {
      // The title begins with the state: `[Alerting] `.
      title: {
        expression:
          'first(webhook.ruleName, extract(webhook.title, "^(?:\\[[^\\]]*\\] ?)?(.*)$"), webhook.message)',
      },
      severity: {
        template: '{{webhook.state}}',
        values: { alerting: 'error', no_data: 'warning', paused: 'info', pending: 'warning', ok: 'info' },
        default: 'error',
      },
      // Old versions send no message.
      description: {
        expression:
          'first(webhook.message, webhook.evalMatches.map(m, first(m.metric + ": " + string(m.value), "")).filter(text, text != "").join(", "), webhook.ruleName, webhook.title)',
      },
      source: { template: 'Grafana' },
      service: {
        template:
          '{{webhook.tags.service|webhook.evalMatches[0].tags.service|webhook.evalMatches[0].tags.job}}',
      },
      environment: {
        template:
          '{{webhook.tags.environment|webhook.tags.env|webhook.evalMatches[0].tags.environment|webhook.evalMatches[0].tags.env}}',
      },
      team: { template: '{{webhook.tags.team|webhook.evalMatches[0].tags.team}}' },
      // A rule that is paused reports no recovery. The Test button of a notification channel sends a rule that does not exist.
      status: {
        expression: 'first(webhook.ruleName, "") == "Test notification" ? "test" : first(webhook.state, "")',
        values: { paused: 'resolved', pending: 'update', unknown: 'update' },
      },
      // A rule of an organization has one state, whatever matches it.
      dedupKey: {
        expression: `first(${keyOf('webhook.orgId', 'webhook.ruleId')}, ${part('webhook.ruleId')})`,
      },
    },
    custom: {
      state: { template: '{{webhook.state}}' },
      value: { template: '{{webhook.evalMatches[0].value}}' },
      // Not split by match: recoveries and alerts without data have no matches and would be lost.
      matches: { template: '{{#webhook.evalMatches}}{{metric}}: {{value}}\n{{/webhook.evalMatches}}' },
      link: { template: '{{webhook.ruleUrl}}' },
    },
  },
  expected: [
    {
      title: 'Cache memory',
      severity: 'error',
      description: 'The cache memory is almost full',
      source: 'Grafana',
      team: 'platform',
      status: 'firing',
      dedupKey: '1/31',
    },
  ],
} satisfies CatalogueSource;
