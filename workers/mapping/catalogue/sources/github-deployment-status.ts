import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

/** Earlier payloads have the environment only in the deployment. */
const ENVIRONMENT = 'first(webhook.deployment_status.environment, webhook.deployment.environment)';

export default {
  name: 'github-deployment-status',
  title: 'GitHub deployment status',
  documentation: 'https://docs.github.com/webhooks/webhook-events-and-payloads#deployment_status',
  signature: { scheme: 'github', setup: 'Settings → Webhooks → Add webhook → Secret' },
  sample: {
    action: 'created',
    deployment_status: {
      id: 71,
      state: 'failure',
      description: 'The health check did not pass',
      environment: 'staging',
      target_url: 'https://ci.example.com/71',
    },
    deployment: {
      id: 70,
      ref: 'main',
      task: 'deploy',
      sha: '0123',
      environment: 'staging',
      description: null,
    },
    repository: { id: 6, name: 'shop', full_name: 'example/shop', owner: { login: 'example' } },
    sender: { login: 'kim-example', id: 5 },
  },
  recovery: {
    deployment_status: { id: 81, state: 'success', description: 'Deployed' },
    deployment: { id: 80 },
  },
  mapping: {
    // A deployment that waits, runs or is superseded tells of no problem.
    filter: 'first(webhook.deployment_status.state, "") in ["failure", "error", "success"]',
    fields: {
      title: {
        expression: `"Deployment" + first(" of " + webhook.repository.name, "") + first(" to " + ${ENVIRONMENT}, "") + " failed"`,
      },
      severity: {
        template: '{{webhook.deployment_status.state}}',
        values: { error: 'error', failure: 'error', success: 'info' },
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.deployment_status.description, webhook.deployment.description, webhook.deployment.task + " of " + webhook.deployment.ref, webhook.deployment.ref)',
      },
      source: { template: 'GitHub' },
      service: { template: '{{webhook.repository.full_name}}' },
      environment: { template: '{{webhook.deployment_status.environment|webhook.deployment.environment}}' },
      status: { expression: 'webhook.deployment_status.state == "success" ? "resolved" : "firing"' },
      // GitHub does not deliver in order. The ids of statuses grow.
      occurrence: { template: '{{webhook.deployment_status.id}}' },
      // The deployments to an environment: the next one that succeeds ends the failure.
      dedupKey: {
        expression: keyOf(
          'webhook.repository.id',
          'first(webhook.deployment_status.environment, webhook.deployment.environment)',
        ),
      },
    },
    custom: {
      ref: { template: '{{webhook.deployment.ref}}' },
      link: { template: '{{webhook.deployment_status.log_url|webhook.deployment_status.target_url}}' },
    },
  },
  expected: [
    {
      title: 'Deployment of shop to staging failed',
      severity: 'error',
      description: 'The health check did not pass',
      source: 'GitHub',
      service: 'example/shop',
      environment: 'staging',
      status: 'firing',
      dedupKey: '6/staging',
      occurrence: '71',
    },
  ],
} satisfies CatalogueSource;
