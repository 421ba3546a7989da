import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const event = (
  title: string,
  message: string,
  more: Record<string, JsonValue> = {},
  event: Record<string, JsonValue> = {},
): JsonValue => ({
  event_definition_id: '65f4a1',
  event_definition_type: 'aggregation-v1',
  event_definition_title: title,
  event_definition_description: '',
  job_definition_id: '65f4a2',
  job_trigger_id: '65f4a3',
  event: {
    id: '01EVENT',
    event_definition_id: '65f4a1',
    alert: true,
    priority: 3,
    message,
    timestamp: '2026-03-01T08:00:00.000Z',
    source: 'graylog-1',
    key: 'fw-2',
    key_tuple: ['fw-2'],
    fields: {},
    ...event,
  },
  backlog: [],
  ...more,
});

export default [
  {
    what: 'two events of a definition are two alerts, and the test of a notification never fires',
    shape:
      'https://go2docs.graylog.org/current/interacting_with_your_log_data/notifications.html and rendau/graylog_notify internal/httphandler',
    steps: [
      ['fired', event('Denied connections', 'Denied connections: count()=7')],
      [
        'fired again',
        event('Denied connections', 'Denied connections: count()=9', {}, { id: '02EVENT', key: 'fw-3' }),
      ],
      [
        'a test',
        event(
          'Event Definition Test Title',
          'Notification test message triggered from user <local:admin>',
          {
            event_definition_type: 'test-dummy-v1',
            event_definition_id: 'NotificationTestId',
          },
          { priority: 2, key: 'testkey' },
        ),
      ],
    ],
    alerts: [
      {
        title: 'Denied connections',
        severity: 'error',
        description: 'Denied connections: count()=7',
        source: 'Graylog',
        service: 'fw-2',
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'Denied connections',
        severity: 'error',
        description: 'Denied connections: count()=9',
        source: 'Graylog',
        service: 'fw-3',
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'Event Definition Test Title',
        severity: 'warning',
        description: 'Notification test message triggered from user <local:admin>',
        source: 'Graylog',
        service: 'testkey',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a definition with fields of its own, and the alarm callback of an older version',
    shape: 'alerta/alerta tests/test_webhooks.py, and a Graylog adapter that reads event.fields.service',
    steps: [
      [
        'fired',
        event(
          'Errors of the API',
          'Errors of the API > 5 a minute',
          {},
          { fields: { service: 'auth-api', environment: 'production' }, priority: 1 },
        ),
      ],
      [
        'an alarm callback',
        {
          check_result: {
            result_description: 'Stream had 4 messages in the last 1 minutes.',
            triggered_condition: { id: '1', type: 'MESSAGE_COUNT', description: 'more than 1' },
            triggered: true,
            matching_messages: [
              { index: 'g_1', message: 'disk failing', source: 'nas-1', fields: {}, id: '2' },
            ],
          },
          stream: { id: '3', title: 'Storage', description: 'All storage' },
        },
      ],
    ],
    alerts: [
      {
        title: 'Errors of the API',
        severity: 'info',
        description: 'Errors of the API > 5 a minute',
        source: 'Graylog',
        service: 'auth-api',
        environment: 'production',
        status: null,
        eventCount: 1,
      },
      {
        title: 'Storage',
        severity: 'warning',
        description: 'Stream had 4 messages in the last 1 minutes.',
        source: 'Graylog',
        service: 'nas-1',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
