import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const deployment = (deployment_id: number, environment: string, status: string): JsonValue => ({
  object_kind: 'deployment',
  status,
  status_changed_at: '2026-03-01T08:00:00.000+00:00',
  deployment_id,
  deployable_id: 5000 + deployment_id,
  deployable_url: 'https://gitlab.example.com/shop/basket/-/jobs/1',
  environment,
  environment_tier: 'production',
  project: { id: 44, name: 'basket', namespace: 'Shop', path_with_namespace: 'shop/basket' },
  short_sha: '01234567',
  user: { id: 1, name: 'Kim Example' },
  commit_title: 'Sort the basket',
  ref: 'main',
});

const approval = (status: string): JsonValue => ({
  ...(deployment(9, 'production', status) as Record<string, JsonValue>),
  approver: { id: 1, name: 'Kim Example' },
  approval: { id: 2, status, comment: 'Go' },
});

const alert = { source: 'GitLab', service: 'shop/basket', team: 'Shop', description: 'Sort the basket' };

export default [
  {
    what: 'a deployment runs and fails, the next one succeeds, and the failure arrives late',
    shape: 'https://docs.gitlab.com/user/project/integrations/webhook_events/#deployment-events',
    steps: [
      ['running', deployment(1, 'production', 'running')],
      ['failed', deployment(1, 'production', 'failed')],
      ['another environment', deployment(2, 'canary', 'failed')],
      ['succeeded', deployment(3, 'production', 'success')],
      ['delivered late', deployment(1, 'production', 'failed')],
      ['canceled', deployment(4, 'production', 'canceled')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Deployment of basket to production failed',
        severity: 'error',
        environment: 'production',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Deployment of basket to canary failed',
        severity: 'error',
        environment: 'canary',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a deployment waits for approval, is approved or rejected, and in the end fails and succeeds',
    shape: 'zulip/zulip zerver/webhooks/gitlab/fixtures/deployment_hook__approval.json',
    steps: [
      ['blocked', deployment(9, 'production', 'blocked')],
      ['approved', approval('approved')],
      ['rejected', approval('rejected')],
      ['failed', deployment(9, 'production', 'failed')],
      ['succeeded', deployment(10, 'production', 'success')],
    ],
    alerts: [
      {
        ...alert,
        title: 'Deployment of basket to production failed',
        severity: 'error',
        environment: 'production',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
