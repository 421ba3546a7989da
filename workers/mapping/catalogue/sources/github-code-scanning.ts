import { keyOf } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'github-code-scanning',
  title: 'GitHub code scanning alert',
  documentation: 'https://docs.github.com/webhooks/webhook-events-and-payloads#code_scanning_alert',
  signature: { scheme: 'github', setup: 'Settings → Webhooks → Add webhook → Secret' },
  sample: {
    action: 'created',
    alert: {
      number: 19,
      state: 'open',
      created_at: '2026-02-03T10:20:00Z',
      updated_at: '2026-02-03T10:20:00Z',
      html_url: 'https://github.com/example/shop/security/code-scanning/19',
      rule: {
        id: 'js/path-injection',
        severity: 'error',
        security_severity_level: 'critical',
        description: 'Uncontrolled data used in a path',
        full_description: 'A path that a user chooses can lead anywhere.',
      },
      tool: { name: 'CodeQL', version: '2.16.0' },
      most_recent_instance: { ref: 'refs/heads/main', state: 'open' },
    },
    ref: 'refs/heads/main',
    commit_oid: '0123456789abcdef0123456789abcdef01234567',
    repository: { id: 6, name: 'shop', full_name: 'example/shop', owner: { login: 'example' } },
    sender: { login: 'github', id: 1 },
  },
  recovery: {
    action: 'fixed',
    alert: { state: 'fixed', updated_at: '2026-02-04T10:20:00Z', most_recent_instance: { state: 'fixed' } },
  },
  mapping: {
    // GitHub pings a new webhook.
    filter: 'has(webhook.alert)',
    fields: {
      title: {
        template:
          '{{webhook.alert.rule.description|webhook.alert.rule.id|webhook.alert.rule.full_description}}',
      },
      severity: {
        template: '{{webhook.alert.rule.security_severity_level|webhook.alert.rule.severity}}',
        values: { ...SEVERITIES, note: 'info' },
        default: 'warning',
      },
      description: {
        template: '{{webhook.alert.rule.full_description|webhook.alert.rule.description}}',
      },
      source: { template: 'GitHub code scanning' },
      service: { template: '{{webhook.repository.full_name}}' },
      // The action, because GitHub sends the state of the alert also with news such as another branch or assignee.
      status: {
        template: '{{webhook.action|webhook.alert.state}}',
        values: {
          reopened_by_user: 'reopened',
          closed_by_user: 'resolved',
          appeared_in_branch: 'update',
          updated_assignment: 'update',
        },
      },
      // GitHub does not deliver in order. Not every payload has the time of the last change.
      occurrence: {
        expression:
          'first(webhook.alert.updated_at, webhook.alert.fixed_at, webhook.alert.dismissed_at, webhook.action == "created" ? webhook.alert.created_at : "")',
      },
      // Alerts are numbered within a repository. Only alerts of code scanning have a tool.
      dedupKey: {
        expression: keyOf('webhook.repository.id', 'webhook.alert.tool.name', 'webhook.alert.number'),
      },
    },
    custom: {
      action: { template: '{{webhook.action}}' },
      rule: { template: '{{webhook.alert.rule.id}}' },
      tool: { template: '{{webhook.alert.tool.name}}' },
      link: { template: '{{webhook.alert.html_url}}' },
    },
  },
  expected: [
    {
      title: 'Uncontrolled data used in a path',
      severity: 'critical',
      description: 'A path that a user chooses can lead anywhere.',
      source: 'GitHub code scanning',
      service: 'example/shop',
      status: 'firing',
      dedupKey: '6/CodeQL/19',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
