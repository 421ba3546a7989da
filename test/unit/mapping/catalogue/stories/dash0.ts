import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const issue = (
  id: string,
  type: string,
  status: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  type: `alert.${type}`,
  data: {
    issue: {
      id,
      issueIdentifier: `${id}00`,
      dataset: 'default',
      start: '2026-03-01T08:00:00.000000000Z',
      status,
      summary: 'The queue of invoices grows',
      description: 'It has more than 900 messages.',
      labels: [
        { key: 'service.name', value: { stringValue: 'invoices' } },
        { key: 'deployment.environment', value: { stringValue: 'staging' } },
      ],
      checkrules: [{ id: 'r-1', version: 1, name: 'Queue length' }],
      url: 'https://app.dash0.com/alerting/failed-checks',
      ...more,
    },
  },
});

export default [
  {
    what: 'an issue gets worse and is resolved, while another one stays open',
    shape:
      'keephq/keep keep/providers/dash0_provider/alerts_mock.py, and https://www.dash0.com/hub/integrations/int_alerting_webhook/overview',
    steps: [
      ['degraded', issue('i-1', 'ongoing', 'degraded')],
      ['another issue', issue('i-2', 'ongoing', 'critical', { summary: 'Invoices are slow' })],
      ['critical', issue('i-1', 'ongoing', 'critical')],
      ['resolved', issue('i-1', 'resolved', 'resolved')],
      ['degraded, late', issue('i-1', 'ongoing', 'degraded')],
    ],
    alerts: [
      {
        title: 'The queue of invoices grows',
        severity: 'critical',
        description: 'It has more than 900 messages.',
        source: 'Dash0',
        service: 'invoices',
        environment: 'staging',
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'Invoices are slow',
        severity: 'critical',
        description: 'It has more than 900 messages.',
        source: 'Dash0',
        service: 'invoices',
        environment: 'staging',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an issue of a rule that was changed, and one that a person closed',
    shape: 'https://www.dash0.com/hub/integrations/int_alerting_webhook/overview, the types of alerts',
    steps: [
      ['fired', issue('i-3', 'ongoing', 'critical', { description: '' })],
      ['fired', issue('i-4', 'ongoing', 'degraded')],
      ['superseded', issue('i-3', 'superseded', 'critical')],
      ['closed', issue('i-4', 'closed', 'degraded')],
    ],
    alerts: [
      {
        title: 'The queue of invoices grows',
        severity: 'critical',
        description: 'The queue of invoices grows',
        source: 'Dash0',
        service: 'invoices',
        environment: 'staging',
        status: 'resolved',
        eventCount: 2,
        resolution: 'It has more than 900 messages.',
      },
      {
        title: 'The queue of invoices grows',
        severity: 'warning',
        description: 'It has more than 900 messages.',
        source: 'Dash0',
        service: 'invoices',
        environment: 'staging',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
