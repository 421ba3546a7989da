import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'jira',
  title: 'Jira issue',
  documentation: 'https://developer.atlassian.com/server/jira/platform/webhooks/',
  signature: { scheme: 'jira', setup: 'System → WebHooks → your webhook → Secret' },
  sample: {
    timestamp: 1770113640000,
    webhookEvent: 'jira:issue_created',
    user: { name: 'kim', displayName: 'Kim Example', active: true },
    issue: {
      id: '10400',
      self: 'https://jira.example.com/rest/api/2/issue/10400',
      key: 'OPS-44',
      fields: {
        summary: 'Certificates expire next week',
        description: 'The certificates of the mail servers.',
        created: '2026-02-03T10:20:00.000+0100',
        labels: ['mail', 'tls'],
        priority: { id: '2', name: 'High' },
        status: { name: 'Open' },
        issuetype: { name: 'Incident' },
        project: { key: 'OPS', name: 'Operations' },
      },
    },
  },
  recovery: {
    webhookEvent: 'jira:issue_updated',
    issue: { fields: { status: { name: 'Renewed', statusCategory: { id: 3, key: 'done', name: 'Done' } } } },
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.issue.key}}: {{webhook.issue.fields.summary}}' },
      severity: {
        template: '{{webhook.issue.fields.priority.name|webhook.issue.fields.priority}}',
        values: { ...SEVERITIES, highest: 'critical', blocker: 'critical', lowest: 'info', trivial: 'info' },
        default: 'warning',
      },
      description: { template: '{{webhook.issue.fields.description|webhook.issue.fields.summary}}' },
      source: { template: 'Jira' },
      service: {
        template: '{{webhook.issue.fields.components[0].name|webhook.issue.fields.project.name}}',
      },
      environment: { template: '{{webhook.issue.fields.environment}}' },
      status: {
        expression:
          'first(webhook.webhookEvent, "") == "jira:issue_deleted" ? "resolved" : first(webhook.issue.fields.status.statusCategory.key, webhook.issue.fields.status.name, "open")',
        values: { indeterminate: 'firing', 'in progress': 'firing', 'to do': 'firing' },
      },
      // The id of the issue: its key changes when it moves. Statuses belong to the category new, indeterminate or done.
      dedupKey: { template: '{{webhook.issue.id}}' },
    },
    custom: {
      event: { template: '{{webhook.webhookEvent}}' },
      status: { template: '{{webhook.issue.fields.status.name}}' },
      link: { template: '{{webhook.issue.self}}' },
    },
  },
  expected: [
    {
      title: 'OPS-44: Certificates expire next week',
      severity: 'error',
      description: 'The certificates of the mail servers.',
      source: 'Jira',
      service: 'Operations',
      status: 'firing',
      dedupKey: '10400',
    },
  ],
} satisfies CatalogueSource;
