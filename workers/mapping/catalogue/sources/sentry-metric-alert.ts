import { sentryMapping } from '../sentry.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'sentry-metric-alert',
  title: 'Sentry metric alert',
  documentation:
    'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/metric-alerts/',
  signature: {
    scheme: 'sentry',
    setup: 'Settings → Custom Integrations → your integration → Credentials → Client Secret',
  },
  sample: {
    action: 'critical',
    actor: { id: 'sentry', name: 'Sentry', type: 'application' },
    installation: { uuid: '11111111-2222-4333-8444-555555555555' },
    data: {
      description_text: '1203 events in the last 10 minutes',
      description_title: 'Critical: Shop errors',
      web_url: 'https://sentry.example.com/organizations/example/alerts/rules/details/12/',
      metric_alert: {
        id: '81',
        identifier: '12',
        organization_id: '5',
        title: 'Shop errors',
        status: 20,
        projects: ['shop'],
        alert_rule: {
          id: '9',
          name: 'Shop errors',
          aggregate: 'count()',
          environment: 'production',
          projects: ['shop'],
          query: 'is:unresolved',
          time_window: 10,
        },
        date_started: '2026-02-03T10:20:00Z',
      },
    },
  },
  recovery: {
    action: 'resolved',
    data: {
      description_text: '12 events in the last 10 minutes',
      description_title: 'Resolved: Shop errors',
      metric_alert: { status: 2, date_closed: '2026-02-03T10:40:00Z' },
    },
  },
  mapping: sentryMapping,
  expected: [
    {
      title: 'Shop errors',
      severity: 'critical',
      description: '1203 events in the last 10 minutes',
      source: 'Sentry',
      service: 'shop',
      environment: 'production',
      status: 'firing',
      dedupKey: 'metric-alert/81',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
