import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const metric = (id: string, action: string, name: string, started: string): JsonValue => ({
  action,
  actor: { type: 'application', id: 'sentry', name: 'Sentry' },
  installation: { uuid: '1' },
  data: {
    description_text: `${action === 'resolved' ? 3 : 900} events in the last 10 minutes`,
    description_title: `${action === 'resolved' ? 'Resolved' : 'Critical'}: ${name}`,
    web_url: 'https://sentry.example.com/organizations/example/alerts/rules/details/9/',
    metric_alert: {
      id,
      identifier: '4',
      title: `#${id} ${name}`,
      projects: ['shop'],
      date_started: started,
      alert_rule: { id: '9', name, environment: 'production', projects: ['shop'] },
    },
  },
});

const shown = { source: 'Sentry', service: 'shop', environment: 'production' };

export default [
  {
    what: 'an incident becomes worse and ends, and old news arrives late',
    shape: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/metric-alerts/',
    steps: [
      ['fired', metric('71', 'warning', 'Failed payments', '2026-03-01T08:00:00Z')],
      ['worse', metric('71', 'critical', 'Failed payments', '2026-03-01T08:00:00Z')],
      ['another problem', metric('72', 'critical', 'Slow pages', '2026-03-01T08:05:00Z')],
      ['resolved', metric('71', 'resolved', 'Failed payments', '2026-03-01T08:00:00Z')],
      ['late', metric('71', 'critical', 'Failed payments', '2026-03-01T08:00:00Z')],
    ],
    alerts: [
      {
        title: 'Failed payments',
        severity: 'critical',
        description: '900 events in the last 10 minutes',
        ...shown,
        status: 'resolved',
        eventCount: 3,
        resolution: '3 events in the last 10 minutes',
      },
      {
        title: 'Slow pages',
        severity: 'critical',
        description: '900 events in the last 10 minutes',
        ...shown,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a rule has an incident, another one after its end, and the errors of its project have an issue',
    shape: 'roxy-wi/IncidentRelay docs/integrations/sentry.md',
    steps: [
      ['fired', metric('73', 'critical', 'Failed payments', '2026-03-01T08:00:00Z')],
      [
        'issue',
        {
          action: 'unresolved',
          data: {
            issue: {
              id: '73',
              title: 'PaymentError: declined',
              culprit: 'pay in charge',
              level: 'error',
              status: 'unresolved',
              project: { slug: 'shop' },
            },
          },
        },
      ],
      ['resolved', metric('73', 'resolved', 'Failed payments', '2026-03-01T08:00:00Z')],
      ['next incident', metric('74', 'warning', 'Failed payments', '2026-03-01T12:00:00Z')],
    ],
    alerts: [
      {
        title: 'Failed payments',
        severity: 'critical',
        description: '900 events in the last 10 minutes',
        ...shown,
        status: 'resolved',
        eventCount: 2,
        resolution: '3 events in the last 10 minutes',
      },
      {
        title: 'PaymentError: declined',
        severity: 'error',
        description: 'PaymentError: declined in pay in charge',
        ...shown,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'Failed payments',
        severity: 'warning',
        description: '900 events in the last 10 minutes',
        ...shown,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
