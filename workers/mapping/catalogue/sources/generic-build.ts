import type { CatalogueSource } from '../source.js';

export default {
  name: 'generic-build',
  title: 'Generic: build of a repository',
  documentation: 'https://developer.harness.io/docs/ai-sre/alerts/webhooks',
  sample: {
    id: 404,
    repository: { name: 'vouchers', url: 'https://git.example.com/vouchers' },
    status: 'failed',
    build_url: 'https://ci.example.com/404',
    commit: '0123456789ab',
    branch: 'release',
    author: 'Kim Example',
    message: 'Count vouchers once',
  },
  recovery: {
    id: 405,
    status: 'passed',
    build_url: 'https://ci.example.com/405',
    message: 'Count vouchers exactly once',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.repository.name}} on {{webhook.branch}}: {{webhook.status}}' },
      severity: {
        template: '{{webhook.status}}',
        values: {
          success: 'info',
          passed: 'info',
          failure: 'error',
          failed: 'error',
          error: 'error',
          canceled: 'warning',
        },
        default: 'warning',
      },
      description: { template: '{{webhook.message|webhook.status}}' },
      source: { template: '{{webhook.source}}', default: 'Build' },
      service: { template: '{{webhook.repository.name}}' },
      status: { expression: 'webhook.status.lowerAscii() in ["passed", "success"] ? "resolved" : "firing"' },
      // The builds of a branch. Only failed and passed builds have a key: the others neither open nor end a problem.
      dedupKey: {
        expression:
          'webhook.status.lowerAscii() in ["failed", "failure", "error", "passed", "success"] ? webhook.repository.name + "/" + webhook.branch : ""',
      },
    },
    custom: {
      author: { template: '{{webhook.author}}' },
      commit: { template: '{{webhook.commit}}' },
      link: { template: '{{webhook.build_url}}' },
    },
  },
  expected: [
    {
      title: 'vouchers on release: failed',
      severity: 'error',
      description: 'Count vouchers once',
      source: 'Build',
      service: 'vouchers',
      status: 'firing',
      dedupKey: 'vouchers/release',
    },
  ],
} satisfies CatalogueSource;
