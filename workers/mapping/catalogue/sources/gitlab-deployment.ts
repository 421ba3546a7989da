import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'gitlab-deployment',
  title: 'GitLab deployment',
  documentation: 'https://docs.gitlab.com/user/project/integrations/webhook_events/#deployment-events',
  signature: {
    scheme: 'gitlab',
    setup:
      'Settings → Webhooks → Add new webhook → Signing token. Earlier versions of GitLab only have a secret token: choose that scheme',
  },
  sample: {
    object_kind: 'deployment',
    status: 'failed',
    status_changed_at: '2026-02-03 10:20:00 +0100',
    deployment_id: 88,
    deployable_id: 1234,
    deployable_url: 'https://gitlab.example.com/shop/basket/-/jobs/1234',
    environment: 'review/basket',
    environment_tier: 'development',
    project: { id: 3, name: 'basket', namespace: 'shop', path_with_namespace: 'shop/basket' },
    short_sha: '01234567',
    user: { id: 2, name: 'Kim Example', username: 'kim' },
    commit_title: 'Round prices up',
    ref: 'main',
  },
  recovery: { status: 'success', deployment_id: 89, deployable_id: 1240, commit_title: 'Round prices down' },
  mapping: {
    // A deployment that starts, waits for an approval, gets one or is canceled tells of no problem.
    filter: 'first(webhook.status, "") in ["failed", "success"]',
    fields: {
      title: {
        expression:
          '"Deployment" + first(" of " + webhook.project.name, "") + first(" to " + webhook.environment, "") + " failed"',
      },
      severity: {
        template: '{{webhook.status}}',
        values: { failed: 'error', success: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.commit_title|webhook.ref}}' },
      source: { template: 'GitLab' },
      service: { template: '{{webhook.project.path_with_namespace}}' },
      environment: { template: '{{webhook.environment}}' },
      team: { template: '{{webhook.project.namespace}}' },
      status: { expression: 'webhook.status == "success" ? "resolved" : "firing"' },
      // GitLab does not deliver in order. The ids of deployments grow.
      occurrence: { template: '{{webhook.deployment_id}}' },
      // The deployments to an environment: the next one that succeeds ends the failure.
      dedupKey: { expression: keyOf('webhook.project.id', 'webhook.environment') },
    },
    custom: { ref: { template: '{{webhook.ref}}' }, link: { template: '{{webhook.deployable_url}}' } },
  },
  expected: [
    {
      title: 'Deployment of basket to review/basket failed',
      severity: 'error',
      description: 'Round prices up',
      source: 'GitLab',
      service: 'shop/basket',
      environment: 'review/basket',
      team: 'shop',
      status: 'firing',
      dedupKey: '3/review/basket',
      occurrence: '88',
    },
  ],
} satisfies CatalogueSource;
