import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const triggered = (issue_id: string, event: Record<string, JsonValue>): JsonValue => ({
  action: 'triggered',
  actor: { type: 'application', id: 'sentry', name: 'Sentry' },
  installation: { uuid: '1' },
  data: {
    triggered_rule: 'Tell the team',
    event: {
      event_id: `e${issue_id}`,
      project: 5,
      level: 'error',
      culprit: '',
      message: '',
      issue_id,
      issue_url: `https://sentry.example.com/api/0/issues/${issue_id}/`,
      ...event,
    },
  },
});

const crash = (issue_id: string, tags: JsonValue = []): JsonValue =>
  triggered(issue_id, {
    title: 'IOError: disk is full',
    culprit: 'export in write',
    url: `https://sentry.example.com/api/0/projects/example/shop/events/${issue_id}/`,
    environment: 'production',
    tags,
  });

const full = {
  title: 'IOError: disk is full',
  severity: 'error',
  description: 'IOError: disk is full in export in write',
  source: 'Sentry',
  service: 'shop',
  environment: 'production',
};

export default [
  {
    what: 'an error repeats, another one is a sample',
    shape: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/issue-alerts/',
    steps: [
      ['fired', crash('51')],
      ['repeated', crash('51')],
      ['another problem', crash('52')],
      [
        'sample',
        crash('53', [
          ['level', 'error'],
          ['sample_event', 'yes'],
        ]),
      ],
    ],
    alerts: [
      { ...full, status: 'firing', eventCount: 2 },
      { ...full, status: 'firing', eventCount: 1 },
      { ...full, status: null, eventCount: 1 },
    ],
  },
  {
    what: 'a missed check-in',
    shape: 'getsentry/sentry-docs#18382',
    steps: [
      [
        'fired',
        triggered('61', {
          title: 'Cron failure: nightly-export',
          contexts: { monitor: { id: 'm7', slug: 'nightly-export', status: 'active' } },
          tags: [
            ['environment', 'production'],
            ['monitor.slug', 'nightly-export'],
          ],
          occurrence: {
            id: 'o7',
            issueTitle: 'Cron failure: nightly-export',
            subtitle: 'Your monitor is failing: A missed check-in was detected.',
            evidenceDisplay: [
              { name: 'Failure reason', value: 'A missed check-in was detected', important: true },
            ],
          },
        }),
      ],
      ['resolved', { action: 'resolved', data: { issue: { id: '61', level: 'error', status: 'resolved' } } }],
    ],
    alerts: [
      {
        title: 'Cron failure: nightly-export',
        severity: 'error',
        description: 'Your monitor is failing: A missed check-in was detected.',
        source: 'Sentry',
        service: 'nightly-export',
        environment: 'production',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
