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
      timestamp: 1770117240000,
      status: 'SUCCESS',
      full_url: 'https://jenkins.example.com/job/basket-release/8/',
      url: 'job/basket-release/8/',
    },
  },
  mapping: {
    // A build that waits, runs, was aborted or not built says nothing about a problem.
    filter: 'first(webhook.build.status, "") in ["FAILURE", "UNSTABLE", "SUCCESS"]',
    fields: {
      title: {
        expression:
          'first(webhook.display_name, webhook.name, "Build") + (webhook.build.status == "UNSTABLE" ? " is unstable" : " failed")',
      },
      severity: {
        template: '{{webhook.build.status}}',
        values: { failure: 'error', unstable: 'warning', success: 'info' },
      },
      description: {
        template:
          'Build{{#webhook.build.number}} {{.}}{{/webhook.build.number}}{{#webhook.name}} of {{.}}{{/webhook.name}}{{#webhook.build.scm.branch}} on {{.}}{{/webhook.build.scm.branch}}{{#webhook.build.notes}}: {{.}}{{/webhook.build.notes}}',
      },
      source: { template: 'Jenkins' },
      service: { template: '{{webhook.name}}' },
      environment: {
        template: '{{webhook.build.parameters.environment|webhook.build.parameters.ENVIRONMENT}}',
      },
      status: { expression: 'webhook.build.status == "SUCCESS" ? "resolved" : "firing"' },
      // When the build reached its phase. Numbers start again if the job is created again.
      occurrence: { template: '{{webhook.build.timestamp|webhook.build.number}}' },
      // The builds of a job: the next one that succeeds ends the failure.
      dedupKey: { template: '{{webhook.url|webhook.name}}' },
    },
    custom: {
      phase: { template: '{{webhook.build.phase}}' },
      commit: { template: '{{webhook.build.scm.commit}}' },
      link: { template: '{{webhook.build.full_url}}' },
    },
  },
  expected: [
    {
      title: 'Basket release is unstable',
      severity: 'warning',
      description: 'Build 7 of basket-release on origin/release',
      source: 'Jenkins',
      service: 'basket-release',
      environment: 'staging',
      status: 'firing',
      occurrence: '1770113640000',
      dedupKey: 'job/basket-release/',
    },
  ],
} satisfies CatalogueSource;
