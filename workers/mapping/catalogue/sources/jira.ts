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
    timestamp: 1770117240000,
    webhookEvent: 'jira:issue_updated',
    issue: { fields: { status: { name: 'Renewed', statusCategory: { id: 3, key: 'done', name: 'Done' } } } },
  },
  mapping: {
    // Sprints, versions and links say nothing about a problem.
    filter: 'has(webhook.issue) || has(webhook.fields)',
    fields: {
      // The later paths are those of Jira Automation, which sends the issue itself.
      title: {
        expression:
          'first(first(webhook.issue.key, webhook.key) + ": " + first(webhook.issue.fields.summary, webhook.fields.summary), webhook.issue.fields.summary, webhook.fields.summary, webhook.issue.key, webhook.key)',
      },
      severity: {
        template:
          '{{webhook.issue.fields.priority.name|webhook.issue.fields.priority|webhook.fields.priority.name}}',
        values: { ...SEVERITIES, highest: 'critical', blocker: 'critical', lowest: 'info', trivial: 'info' },
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.issue.fields.description|webhook.issue.fields.summary|webhook.fields.description|webhook.fields.summary}}',
      },
      source: { template: 'Jira' },
      service: {
        template:
          '{{webhook.issue.fields.components[0].name|webhook.issue.fields.project.name|webhook.fields.components[0].name|webhook.fields.project.name}}',
      },
      environment: { template: '{{webhook.issue.fields.environment}}' },
      // A comment or a work log neither opens nor ends an issue.
      status: {
        expression:
          'first(webhook.webhookEvent, "") == "jira:issue_deleted" ? "resolved" : !first(webhook.webhookEvent, "jira:issue_").startsWith("jira:issue_") || first(webhook.issue_event_type_name, "").contains("comment") ? "update" : first(webhook.issue.fields.status.statusCategory.key, webhook.issue.fields.resolution.name != "" ? "done" : "", webhook.issue.fields.status.name, webhook.fields.status.statusCategory.key, webhook.fields.status.name, "open")',
        values: { indeterminate: 'firing', 'in progress': 'firing', 'to do': 'firing' },
      },
      // When the issue changed. A comment after the end must not make the end look old.
      occurrence: {
        expression:
          'first(webhook.webhookEvent, "jira:issue_").startsWith("jira:issue_") && !first(webhook.issue_event_type_name, "").contains("comment") ? webhook.timestamp : ""',
      },
      // The id of the issue: its key changes when it moves. Statuses belong to the category new, indeterminate or done.
      dedupKey: { expression: 'has(webhook.issue) ? webhook.issue.id : webhook.id' },
    },
    custom: {
      event: { template: '{{webhook.webhookEvent}}' },
      status: { template: '{{webhook.issue.fields.status.name|webhook.fields.status.name}}' },
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
      occurrence: '1770113640000',
      dedupKey: '10400',
    },
  ],
} satisfies CatalogueSource;
