import type { Story } from '../story.js';

const alert = { source: 'Webhook', status: null, eventCount: 1 };

export default [
  {
    what: 'two alerts with metadata',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks/use-mustache-webhooks.md',
    steps: [
      [
        'fired',
        {
          alert: { name: 'Many retries', severity: 'Warn', message: 'Half of all jobs are retried' },
          metadata: { service: 'jobs', environment: 'staging' },
          metrics: { retries: 51 },
        },
      ],
      [
        'another alert',
        { alert: { message: 'The queue is full', severity: 'purple' }, source: 'queue-check' },
      ],
    ],
    alerts: [
      {
        ...alert,
        title: 'Many retries',
        severity: 'warning',
        description: 'Half of all jobs are retried',
        service: 'jobs',
        environment: 'staging',
      },
      {
        ...alert,
        title: 'The queue is full',
        severity: 'error',
        description: 'The queue is full',
        source: 'queue-check',
        service: null,
        environment: null,
      },
    ],
  },
  {
    what: 'an alert with a name and a severity, and without a message',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks/use-mustache-webhooks.md, with fewer details',
    steps: [['fired', { alert: { name: 'Late invoices', severity: 'P9' }, metadata: { team: 'finance' } }]],
    alerts: [
      {
        ...alert,
        title: 'Late invoices',
        severity: 'error',
        description: 'Late invoices',
        service: null,
        environment: null,
        team: 'finance',
      },
    ],
  },
] satisfies Story[];
