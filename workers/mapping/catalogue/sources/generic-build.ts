import { keyOf } from '../keys.js';
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
    // A build that waits, runs or is canceled tells of no problem.
    filter: 'first(webhook.status, "").lowerAscii() in ["failed", "failure", "error", "passed", "success"]',
    fields: {
      title: {
        expression:
          '"Build" + first(" of " + webhook.repository.name, "") + " failed" + first(" on " + webhook.branch, "")',
      },
      severity: {
        template: '{{webhook.status}}',
        values: { success: 'info', passed: 'info', failure: 'error', failed: 'error', error: 'error' },
        default: 'error',
      },
      description: { template: '{{webhook.message|webhook.status}}' },
      source: { template: '{{webhook.source}}', default: 'Build' },
      service: { template: '{{webhook.repository.name}}' },
      status: { expression: 'webhook.status.lowerAscii() in ["passed", "success"] ? "resolved" : "firing"' },
      // Builds may be reported in another order than they ran, and mostly have a growing number.
      occurrence: { expression: 'string(webhook.id).matches("^[0-9]+$") ? webhook.id : ""' },
      // The builds of a branch: the next one that passes ends the failure.
      dedupKey: { expression: keyOf('webhook.repository.name', 'webhook.branch') },
    },
    custom: {
      author: { template: '{{webhook.author}}' },
      commit: { template: '{{webhook.commit}}' },
      link: { template: '{{webhook.build_url}}' },
    },
  },
  expected: [
    {
      title: 'Build of vouchers failed on release',
      severity: 'error',
      description: 'Count vouchers once',
      source: 'Build',
      service: 'vouchers',
      status: 'firing',
      dedupKey: 'vouchers/release',
      occurrence: '404',
    },
  ],
} satisfies CatalogueSource;
