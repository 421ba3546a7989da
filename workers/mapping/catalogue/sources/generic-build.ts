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
    },
  ],
} satisfies CatalogueSource;
