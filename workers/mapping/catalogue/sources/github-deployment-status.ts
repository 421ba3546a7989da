import type { CatalogueSource } from '../source.js';

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
    fields: {
      title: {
        template:
          'Deployment of {{webhook.repository.name}} to {{webhook.deployment_status.environment}}: {{webhook.deployment_status.state}}',
      },
      severity: {
        template: '{{webhook.deployment_status.state}}',
        values: {
          error: 'error',
          failure: 'error',
          inactive: 'info',
          in_progress: 'info',
          queued: 'info',
          pending: 'info',
          waiting: 'info',
          success: 'info',
        },
      },
      description: {
        template: `{{#webhook.deployment_status.description}}{{.}}{{/webhook.deployment_status.description}}{{^webhook.deployment_status.description}}{{webhook.deployment.ref}} in {{webhook.deployment_status.environment}}: {{webhook.deployment_status.state}}{{/webhook.deployment_status.description}}`,
      },
      source: { template: 'GitHub' },
      service: { template: '{{webhook.repository.full_name}}' },
      environment: { template: '{{webhook.deployment_status.environment}}' },
      status: { expression: 'webhook.deployment_status.state == "success" ? "resolved" : "firing"' },
      // The deployments to an environment: the next one that succeeds ends the failure. The other states neither open
      // nor end one, so they have no key.
      dedupKey: {
        expression:
          'webhook.deployment_status.state in ["failure", "error", "success"] ? string(webhook.repository.id) + "/" + webhook.deployment_status.environment : ""',
      },
    },
    custom: {
      ref: { template: '{{webhook.deployment.ref}}' },
      link: { template: '{{webhook.deployment_status.target_url}}' },
    },
  },
  expected: [
    {
      title: 'Deployment of shop to staging: failure',
      severity: 'error',
      description: 'The health check did not pass',
      source: 'GitHub',
      service: 'example/shop',
      environment: 'staging',
      status: 'firing',
      dedupKey: '6/staging',
    },
  ],
} satisfies CatalogueSource;
