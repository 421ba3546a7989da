import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

type More = Record<string, JsonValue>;

const found = (action: string, number: number, state: string, more: More): JsonValue => ({
  action,
  alert: {
    number,
    state,
    created_at: '2026-03-01T08:00:00Z',
    html_url: `https://github.com/example/basket/security/code-scanning/${number}`,
    rule: {
      id: 'py/sql',
      severity: 'warning',
      security_severity_level: 'high',
      description: 'SQL from user input',
      full_description: 'A query that a user writes can read everything.',
    },
    tool: { name: 'CodeQL', version: '2.20.0' },
    ...more,
  },
  ref: 'refs/heads/main',
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
});

const container = (action: string, state: string, more: More): JsonValue => ({
  action,
  alert: {
    number: 3,
    state,
    created_at: '2026-03-01T08:00:00Z',
    dismissed_at: null,
    rule: { id: 'CVE-0000-1', severity: 'error', description: 'CVE-0000-1 in libexample' },
    tool: { name: 'Image scan', version: null },
    instances: [],
    ...more,
  },
  ref: '',
  repository: { id: 12, name: 'basket', full_name: 'example/basket' },
});

const alert = { source: 'GitHub code scanning', service: 'example/basket', environment: null };

export default [
  {
    what: 'an alert is created, appears in a branch, is fixed, and its creation arrives late',
    shape: 'octokit/webhooks payload-examples/api.github.com/code_scanning_alert/created.payload.json',
    steps: [
      ['pinged', { zen: 'Keep it simple.', hook_id: 1, hook: { id: 1 }, repository: { id: 12 } }],
      ['created', found('created', 8, 'open', { updated_at: '2026-03-01T08:00:00Z' })],
      ['another alert', found('created', 9, 'open', { updated_at: '2026-03-01T08:00:00Z' })],
      ['in another branch', found('appeared_in_branch', 8, 'open', { updated_at: '2026-03-01T09:00:00Z' })],
      ['fixed', found('fixed', 8, 'fixed', { updated_at: '2026-03-02T08:00:00Z' })],
      ['delivered late', found('created', 8, 'open', { updated_at: '2026-03-01T08:00:00Z' })],
      ['assigned', found('updated_assignment', 8, 'fixed', { updated_at: '2026-03-03T08:00:00Z' })],
    ],
    alerts: [
      {
        ...alert,
        title: 'SQL from user input',
        severity: 'error',
        description: 'A query that a user writes can read everything.',
        status: 'resolved',
        eventCount: 3,
      },
      {
        ...alert,
        title: 'SQL from user input',
        severity: 'error',
        description: 'A query that a user writes can read everything.',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an alert without a time of its last change is closed by a user, and reopened',
    shape: 'octokit/webhooks payload-examples/api.github.com/code_scanning_alert/closed-by-user.payload.json',
    steps: [
      ['created', container('created', 'open', {})],
      ['closed', container('closed_by_user', 'dismissed', { dismissed_at: '2026-03-02T08:00:00Z' })],
      ['reopened', container('reopened_by_user', 'open', {})],
    ],
    alerts: ['resolved', 'firing'].map((status) => ({
      ...alert,
      title: 'CVE-0000-1 in libexample',
      severity: 'error',
      description: 'CVE-0000-1 in libexample',
      status,
      eventCount: status === 'resolved' ? 2 : 1,
    })),
  },
] satisfies Story[];
