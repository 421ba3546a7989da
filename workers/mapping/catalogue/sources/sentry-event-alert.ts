import { sentryMapping } from '../sentry.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'sentry-event-alert',
  title: 'Sentry issue alert (event)',
  documentation:
    'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/issue-alerts/',
  signature: {
    scheme: 'sentry',
    setup: 'Settings → Custom Integrations → your integration → Credentials → Client Secret',
  },
  sample: {
    action: 'triggered',
    actor: { id: 'sentry', name: 'Sentry', type: 'application' },
    installation: { uuid: '11111111-2222-4333-8444-555555555555' },
    data: {
      triggered_rule: 'Shop errors',
      event: {
        event_id: '0123456789abcdef0123456789abcdef',
        project: 7,
        platform: 'python',
        level: 'fatal',
        title: 'OperationalError: connection refused',
        culprit: 'orders.tasks.settle',
        environment: 'production',
        release: 'shop@3.1.4',
        message: '',
        metadata: { type: 'OperationalError', value: 'connection refused' },
        tags: [
          ['environment', 'production'],
          ['level', 'fatal'],
          ['server_name', 'worker-5'],
        ],
        timestamp: 1770113640.25,
        issue_id: '4400124',
        issue_url: 'https://sentry.example.com/api/0/issues/4400124/',
        web_url: 'https://sentry.example.com/organizations/example/issues/4400124/events/0123/',
      },
    },
  },
  otherSamples: [
    // A missed check-in.
    {
      action: 'triggered',
      actor: { type: 'application', id: 'sentry', name: 'Sentry' },
      installation: { uuid: '00000000-0000-4000-8000-000000000001' },
      data: {
        triggered_rule: 'Tell the team',
        event: {
          event_id: 'e61',
          project: 5,
          level: 'error',
          culprit: '',
          message: '',
          issue_id: '61',
          issue_url: 'https://sentry.example.com/api/0/issues/61/',
          title: 'Cron failure: nightly-export',
          contexts: { monitor: { id: 'm7', slug: 'nightly-export', status: 'active' } },
          tags: [['environment', 'production']],
          occurrence: {
            id: 'o7',
            issueTitle: 'Cron failure: nightly-export',
            subtitle: 'Your monitor is failing: A missed check-in was detected.',
            evidenceDisplay: [
              { name: 'Failure reason', value: 'A missed check-in was detected', important: true },
            ],
          },
        },
      },
    },
  ],
  mapping: sentryMapping,
  expected: [
    {
      title: 'OperationalError: connection refused',
      severity: 'critical',
      description: 'OperationalError: connection refused in orders.tasks.settle',
      source: 'Sentry',
      service: 'worker-5',
      environment: 'production',
      status: 'firing',
      dedupKey: '4400124',
    },
  ],
} satisfies CatalogueSource;
