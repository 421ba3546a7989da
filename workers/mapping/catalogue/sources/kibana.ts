import { keyOf } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'kibana',
  title: 'Elastic / Kibana rule',
  documentation: 'https://www.elastic.co/guide/en/kibana/current/rule-action-variables.html',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Stack Management → Connectors → Webhook → Add header: X-Muster-Token',
  },
  sample: {
    rule: {
      id: '00000000-aaaa-4bbb-8ccc-dddddddddddd',
      name: 'No logs from the gateway',
      type: '.es-query',
      spaceId: 'default',
      tags: ['env:production', 'team:edge', 'service:gateway'],
      url: 'https://kibana.example.com/app/rule/0000',
    },
    alert: {
      id: 'query matched',
      uuid: '1111',
      actionGroup: 'query matched',
      actionGroupName: 'Query matched',
      flapping: false,
    },
    context: {
      title: "rule 'No logs from the gateway' matched query",
      message: 'Document count is 0 in the last 10m in logs-gateway. Alert when less than 1.',
      value: 0,
      date: '2026-02-03T10:20:00.000Z',
      link: 'https://kibana.example.com/app/discover',
    },
    date: '2026-02-03T10:20:00.000Z',
    kibanaBaseUrl: 'https://kibana.example.com',
  },
  otherSamples: [
    {
      rule_id: '00000000-aaaa-4bbb-8ccc-dddddddddddd',
      rule_name: 'No logs from the gateway',
      rule_type: '.es-query',
      rule_tags: 'env:production,team:edge',
      alert_id: 'query matched',
      action_group: 'query matched',
      reason: 'Document count is 0 in the last 10m in logs-gateway.',
    },
  ],
  recovery: {
    alert: { actionGroup: 'recovered', actionGroupName: 'Recovered' },
    context: {
      title: "rule 'No logs from the gateway' recovered",
      message: 'Document count is 40 in the last 10m in logs-gateway.',
      value: 40,
      date: '2026-02-03T10:40:00.000Z',
    },
    date: '2026-02-03T10:40:00.000Z',
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.rule.name|webhook.rule_name|webhook.ruleName|webhook.alertName|webhook.context.message|webhook.context.reason|webhook.context.title|webhook.message|webhook.reason}}',
      },
      // Kibana's rules have no severity. A tag may contain one.
      severity: {
        template: '{{webhook.rule.tags.severity|webhook.rule_tags.severity}}',
        values: SEVERITIES,
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.context.message|webhook.context.reason|webhook.message|webhook.reason|webhook.context.title|webhook.title}}',
      },
      source: { template: 'Kibana' },
      service: {
        template:
          '{{webhook.rule.tags.service|webhook.rule_tags.service|webhook.context.host.name|webhook.group}}',
      },
      environment: {
        template: '{{webhook.rule.tags.env|webhook.rule.tags.environment|webhook.rule_tags.env}}',
      },
      team: { template: '{{webhook.rule.tags.team|webhook.rule_tags.team}}' },
      // The names of action groups depend on the rule, except `recovered`. The body of the connector is yours: the later paths are those
      // of flat bodies, and of the variables that Kibana had first.
      status: {
        expression:
          'first(webhook.alert.actionGroup, webhook.action_group, webhook.alertActionGroup, webhook.actionGroup).lowerAscii() == "recovered" ? "resolved" : "firing"',
      },
      // The time of the action.
      occurrence: { template: '{{webhook.date|webhook.context.date|webhook.timestamp}}' },
      // The alert of a rule.
      dedupKey: {
        expression: `first(${keyOf('webhook.rule.id', 'webhook.alert.id')}, ${keyOf('webhook.rule_id', 'webhook.alert_id')}, ${keyOf('webhook.ruleId', 'webhook.alertId')}, ${keyOf('webhook.alertId', 'webhook.alertInstanceId')})`,
      },
    },
    custom: {
      value: { template: '{{webhook.context.value}}' },
      group: { template: '{{webhook.alert.actionGroupName}}' },
      link: { template: '{{webhook.rule.url}}' },
    },
  },
  expected: [
    {
      title: 'No logs from the gateway',
      severity: 'warning',
      description: 'Document count is 0 in the last 10m in logs-gateway. Alert when less than 1.',
      source: 'Kibana',
      service: 'gateway',
      environment: 'production',
      team: 'edge',
      status: 'firing',
      dedupKey: '00000000-aaaa-4bbb-8ccc-dddddddddddd/query matched',
      occurrence: '2026-02-03T10:20:00.000Z',
    },
  ],
} satisfies CatalogueSource;
