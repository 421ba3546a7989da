import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const incident = (key: string, type: string, title: string, description: string): JsonValue => ({
  incident_key: key,
  event_type: type,
  title,
  description,
  client: 'healthchecks.io',
  client_url: 'https://healthchecks.io',
  tags: 'nightly',
});

/** A body of the placeholders `$NAME`, `$STATUS`, `$NOW` and `$CODE`. */
const placeholders = (name: string, status: string, code: string): JsonValue => ({
  name,
  status,
  'current time': '2026-03-01T08:00:00+00:00',
  code,
});

export default [
  {
    what: 'a check is down and up again',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/healthchecks/v3_test.rb',
    steps: [
      [
        'fired',
        incident('c-1', 'trigger', 'Invoices is DOWN', 'Invoices is DOWN.\n\nLast ping was 2 hours ago.'),
      ],
      ['another problem', incident('c-2', 'trigger', 'Reports is DOWN', 'Reports is DOWN.')],
      ['resolved', incident('c-1', 'resolve', 'Invoices is UP', 'Invoices is UP.')],
    ],
    alerts: [
      {
        title: 'Invoices',
        severity: 'critical',
        description: 'Invoices is DOWN.\n\nLast ping was 2 hours ago.',
        source: 'Healthchecks',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Invoices is UP.',
      },
      {
        title: 'Reports',
        severity: 'critical',
        description: 'Reports is DOWN.',
        source: 'Healthchecks',
        service: null,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a body of placeholders, and the Test button, which sends a check that is named TEST',
    shape: 'Zenduty/docs zenduty-docs/docs/Healthchecks.md; healthchecks/healthchecks hc/front/views.py',
    steps: [
      ['fired', placeholders('Backups of mail', 'down', 'c-3')],
      ['a test', placeholders('TEST', 'down', 'c-9')],
      ['resolved', placeholders('Backups of mail', 'up', 'c-3')],
    ],
    alerts: [
      {
        title: 'Backups of mail',
        severity: 'critical',
        description: 'Backups of mail',
        source: 'Healthchecks',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'TEST',
        severity: 'critical',
        description: 'TEST',
        source: 'Healthchecks',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
