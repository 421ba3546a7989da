import type { CatalogueSource } from '../source.js';

export default {
  name: 'jenkins',
  title: 'Jenkins (notification plugin)',
  documentation: 'https://plugins.jenkins.io/notification/',
  sample: {
    name: 'basket-release',
    display_name: 'Basket release',
    url: 'job/basket-release/',
    build: {
      full_url: 'https://jenkins.example.com/job/basket-release/7/',
      number: 7,
      queue_id: 90,
      timestamp: 1770113640000,
      phase: 'FINALIZED',
      status: 'UNSTABLE',
      url: 'job/basket-release/7/',
      scm: { url: 'https://git.example.com/basket.git', branch: 'origin/release', commit: '0123456' },
      parameters: { environment: 'staging' },
      log: '',
      artifacts: {},
    },
  },
  recovery: {
    build: {
      number: 8,
      status: 'SUCCESS',
      full_url: 'https://jenkins.example.com/job/basket-release/8/',
      url: 'job/basket-release/8/',
    },
  },
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.name}} #{{webhook.build.number}}{{#webhook.build.status}}: {{.}}{{/webhook.build.status}}',
      },
      severity: {
        template: '{{webhook.build.status}}',
        values: {
          failure: 'error',
          unstable: 'warning',
          aborted: 'warning',
          not_built: 'warning',
          success: 'info',
        },
        // A build has no status until it ends.
        default: 'info',
      },
      description: {
        template:
          'Build {{webhook.build.number}} of {{webhook.name}}: {{webhook.build.phase}}{{#webhook.build.scm.branch}} on {{.}}{{/webhook.build.scm.branch}}',
      },
      source: { template: 'Jenkins' },
      service: { template: '{{webhook.name}}' },
      environment: { template: '{{webhook.build.parameters.environment}}' },
      status: { expression: 'first(webhook.build.status, "") == "SUCCESS" ? "resolved" : "firing"' },
      // The builds of a job: the next one that succeeds ends the failure. A build that runs or was aborted neither
      // opens nor ends one, so it has no key.
      dedupKey: {
        expression:
          'first(webhook.build.status, "") in ["FAILURE", "UNSTABLE", "SUCCESS"] ? first(webhook.url, webhook.name) : ""',
      },
    },
    custom: {
      phase: { template: '{{webhook.build.phase}}' },
      commit: { template: '{{webhook.build.scm.commit}}' },
      link: { template: '{{webhook.build.full_url}}' },
    },
  },
  expected: [
    {
      title: 'basket-release #7: UNSTABLE',
      severity: 'warning',
      description: 'Build 7 of basket-release: FINALIZED on origin/release',
      source: 'Jenkins',
      service: 'basket-release',
      environment: 'staging',
      status: 'firing',
      dedupKey: 'job/basket-release/',
    },
  ],
} satisfies CatalogueSource;
