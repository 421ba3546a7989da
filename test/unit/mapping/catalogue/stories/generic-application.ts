import type { Story } from '../story.js';

const alert = { source: 'Webhook', status: null, eventCount: 1 };

export default [
  {
    what: 'an application with all details, and one with few',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks/use-mustache-webhooks.md',
    steps: [
      [
        'fired',
        {
          application: 'labels',
          alert_type: 'timeout',
          severity: 'high',
          details: {
            error: 'The printer does not respond',
            impact: 'Parcels wait',
            affected_regions: ['north'],
          },
          context: { datacenter: 'north-1', component: 'printer' },
        },
      ],
      ['another alert', { application: 'stock', details: { error: 'A count is negative' } }],
    ],
    alerts: [
      {
        ...alert,
        title: 'timeout in labels',
        severity: 'error',
        description: 'The printer does not respond - Impact: Parcels wait',
        service: 'labels',
        environment: 'north-1',
      },
      {
        ...alert,
        title: 'A count is negative',
        severity: 'critical',
        description: 'A count is negative',
        service: 'stock',
        environment: null,
      },
    ],
  },
  {
    what: 'an application that names only what kind of problem it has',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks/use-mustache-webhooks.md, with fewer details',
    steps: [
      ['fired', { application: 'stock', alert_type: 'negative count', details: { impact: 'Orders wait' } }],
    ],
    alerts: [
      {
        ...alert,
        title: 'negative count in stock',
        severity: 'critical',
        description: 'Orders wait',
        service: 'stock',
        environment: null,
      },
    ],
  },
] satisfies Story[];
