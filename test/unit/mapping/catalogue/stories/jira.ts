import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

type Status = Record<string, JsonValue>;

/** A status of Jira, whose category is `new`, `indeterminate` or `done`. */
const status = (name: string, category: string): Status => ({
  name,
  statusCategory: { id: 3, key: category, name: category },
});

const cloud = (
  event: string,
  timestamp: number,
  of: Status,
  issue = '1',
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  timestamp,
  webhookEvent: event,
  user: { accountId: 'u-1', displayName: 'Kim Example', active: true },
  issue: {
    id: `2000${issue}`,
    self: `https://example.atlassian.net/rest/api/2/issue/2000${issue}`,
    key: `OPS-${issue}`,
    fields: {
      summary: `Backup ${issue} fails`,
      description: null,
      priority: { id: '1', name: 'Highest' },
      status: of,
      issuetype: { name: 'Incident' },
      project: { key: 'OPS', name: 'Operations' },
      components: [{ name: 'Backups' }],
      ...more,
    },
  },
});

/** An issue of an older Jira Server, which sends no category of its status. */
const server = (timestamp: number, statusName: string, more: Record<string, JsonValue>): JsonValue => ({
  timestamp,
  webhookEvent: 'jira:issue_updated',
  issue: {
    id: '700',
    self: 'https://jira.example.com/rest/api/2/issue/700',
    key: 'HELP-7',
    fields: {
      summary: 'Printing takes minutes',
      description: 'In all offices.',
      priority: { name: 'Major' },
      status: { name: statusName },
      resolution: null,
      project: { key: 'HELP', name: 'Help desk' },
    },
  },
  ...more,
});

const OPEN = status('Open', 'new');
const DONE = status('Resolved', 'done');
const issueItself = (of: Status): JsonValue => ({
  self: 'https://example.atlassian.net/rest/api/2/issue/900',
  id: 900,
  key: 'OPS-9',
  changelog: {},
  fields: {
    summary: 'Tapes are full',
    priority: { name: 'High' },
    status: of,
    project: { key: 'OPS', name: 'Operations' },
  },
});

const backup = { severity: 'critical', source: 'Jira', service: 'Backups', environment: null };

export default [
  {
    what: 'an issue is commented on and done, a change before that arrives late, and somebody reopens it',
    shape: 'zulip/zulip zerver/webhooks/jira/fixtures: created_v1, updated_v1, comment_created',
    steps: [
      ['fired', cloud('jira:issue_created', 1000, OPEN)],
      ['another problem', cloud('jira:issue_created', 1100, OPEN, '2')],
      ['commented', cloud('comment_created', 1300, OPEN)],
      ['resolved', cloud('jira:issue_updated', 1250, DONE)],
      ['changed before the end', cloud('jira:issue_updated', 1200, OPEN)],
      ['commented after the end', cloud('comment_created', 1400, DONE)],
      ['a sprint', { timestamp: 1500, webhookEvent: 'sprint_started', sprint: { id: 1, name: 'March' } }],
      ['reopened', cloud('jira:issue_updated', 1600, status('In progress', 'indeterminate'))],
    ],
    alerts: [
      {
        title: 'OPS-1: Backup 1 fails',
        description: 'Backup 1 fails',
        ...backup,
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'OPS-2: Backup 2 fails',
        description: 'Backup 2 fails',
        ...backup,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'OPS-1: Backup 1 fails',
        description: 'Backup 1 fails',
        ...backup,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an issue of Jira Server, which reports comments as changes, is deleted',
    shape: 'https://developer.atlassian.com/server/jira/platform/webhooks/',
    steps: [
      ['fired', server(2000, 'Open', { issue_event_type_name: 'issue_created' })],
      ['commented', server(2100, 'Open', { issue_event_type_name: 'issue_commented' })],
      ['deleted', server(2200, 'Open', { webhookEvent: 'jira:issue_deleted' })],
      ['changed late', server(2150, 'Open', { issue_event_type_name: 'issue_updated' })],
    ],
    alerts: [
      {
        title: 'HELP-7: Printing takes minutes',
        severity: 'error',
        description: 'In all offices.',
        source: 'Jira',
        service: 'Help desk',
        environment: null,
        status: 'resolved',
        eventCount: 3,
      },
    ],
  },
  {
    what: 'Jira Automation sends the issue itself',
    shape:
      'https://support.atlassian.com/cloud-automation/docs/jira-automation-actions/ (send web request, issue data)',
    steps: [
      ['fired', issueItself(OPEN)],
      ['resolved', issueItself(DONE)],
    ],
    alerts: [
      {
        title: 'OPS-9: Tapes are full',
        severity: 'error',
        description: 'Tapes are full',
        source: 'Jira',
        service: 'Operations',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
