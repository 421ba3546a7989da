import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const alert = (
  id: string,
  entityName: string,
  alertStatus: number,
  date: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  entityId: 'ZW50',
  subject: 'You have a new alert!',
  alertStatusString: alertStatus === 1 ? 'Cleared' : 'Triggered',
  alertId: id,
  alertName: 'The firewall is offline',
  entityName,
  companyName: 'North branch',
  entityType: 'device',
  date: `2026-03-01T${date}:00.000Z`,
  link: 'https://example.my.auvik.com/alert/1/summary',
  alertStatus,
  correlationId: id,
  alertDescription: `${entityName} does not respond to pings`,
  alertSeverityString: 'Emergency',
  alertSeverity: 1,
  companyId: '70',
  ...more,
});

export default [
  {
    what: 'two firewalls are offline, and one comes back',
    shape:
      'https://support.auvik.com/hc/en-us/articles/360048647112-How-do-I-interpret-webhook-notifications',
    steps: [
      ['triggered', alert('QQ==', 'fw-1', 0, '08:00')],
      ['another device', alert('Qg==', 'fw-2', 0, '08:01')],
      ['cleared', alert('QQ==', 'fw-1', 1, '08:10')],
      ['triggered, late', alert('QQ==', 'fw-1', 0, '08:00')],
    ],
    alerts: [
      {
        title: 'The firewall is offline',
        severity: 'critical',
        description: 'fw-1 does not respond to pings',
        source: 'Auvik',
        service: 'fw-1',
        environment: null,
        team: 'North branch',
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'The firewall is offline',
        severity: 'critical',
        description: 'fw-2 does not respond to pings',
        source: 'Auvik',
        service: 'fw-2',
        environment: null,
        team: 'North branch',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an alert without an entity, whose severity is only a number',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/auvik/v3_test.rb',
    steps: [
      [
        'triggered',
        alert('Qw==', 'Auvik collector', 0, '08:00', {
          entityId: null,
          entityType: null,
          alertSeverityString: null,
          alertSeverity: 3,
        }),
      ],
      [
        'cleared',
        alert('Qw==', 'Auvik collector', 1, '08:00', {
          entityId: null,
          entityType: null,
          alertSeverityString: null,
          alertSeverity: 3,
        }),
      ],
    ],
    alerts: [
      {
        title: 'The firewall is offline',
        severity: 'warning',
        description: 'Auvik collector does not respond to pings',
        source: 'Auvik',
        service: 'Auvik collector',
        environment: null,
        team: 'North branch',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
