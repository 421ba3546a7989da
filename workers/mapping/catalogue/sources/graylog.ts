import type { CatalogueSource } from '../source.js';

export default {
  name: 'graylog',
  title: 'Graylog (event notification or alarm callback)',
  documentation: 'https://go2docs.graylog.org/current/interacting_with_your_log_data/notifications.html',
  sample: {
    check_result: {
      result_description:
        'Stream had 40 messages in the last 5 minutes with trigger condition more than 10 messages.',
      triggered_condition: { id: '0001', type: 'MESSAGE_COUNT', description: 'more than 10 in 5 minutes' },
      triggered_at: '2026-02-03T10:20:00.000Z',
      triggered: true,
      matching_messages: [
        {
          index: 'graylog_4',
          message: 'Payment provider timed out',
          fields: { level: 3 },
          id: '0002',
          stream_ids: ['0003'],
          source: 'payments-2',
          timestamp: '2026-02-03T10:19:58.000Z',
        },
      ],
    },
    stream: { id: '0003', title: 'Payments', description: 'All of the payments', disabled: false },
  },
  otherSamples: [
    {
      event_definition_id: '65f4a1',
      event_definition_type: 'aggregation-v1',
      event_definition_title: 'Payments time out',
      event_definition_description: 'More than 10 timeouts in 5 minutes',
      job_definition_id: '65f4a2',
      job_trigger_id: '65f4a3',
      event: {
        id: '01EXAMPLE',
        event_definition_id: '65f4a1',
        alert: true,
        priority: 3,
        message: 'Payments time out: count()=40',
        timestamp: '2026-02-03T10:20:00.000Z',
        source: 'graylog-1',
        key: 'payments-2',
        key_tuple: ['payments-2'],
        fields: {},
      },
      backlog: [],
    },
  ],
  mapping: {
    fields: {
      title: {
        template:
          '{{webhook.event_definition_title|webhook.stream.title|webhook.event.message|webhook.event_definition_description|webhook.check_result.result_description}}',
      },
      // Priority of the event. The older alarm callbacks have none.
      severity: {
        template: '{{webhook.event.priority}}',
        values: { 1: 'info', 2: 'warning', 3: 'error', 4: 'critical' },
        default: 'warning',
      },
      description: {
        template:
          '{{webhook.event.message|webhook.event_definition_description|webhook.check_result.result_description}}',
      },
      source: { template: 'Graylog' },
      environment: { template: '{{webhook.event.fields.environment|webhook.event.fields.env}}' },
      service: {
        template:
          '{{webhook.event.fields.service|webhook.event.key|webhook.backlog[0].source|webhook.check_result.matching_messages[0].source|webhook.stream.title}}',
      },
      // The Test button sends an event definition of this type.
      status: {
        expression: 'first(webhook.event_definition_type, "") == "test-dummy-v1" ? "test" : "firing"',
      },
      // No dedupKey: Graylog reports no recovery, so an alert would never end.
    },
    // It retries after a timeout, and its webhook has no delivery id.
    repeatWindowSeconds: 300,
    custom: {
      message: {
        template: '{{webhook.backlog[0].message|webhook.check_result.matching_messages[0].message}}',
      },
      event: { template: '{{webhook.event.id}}' },
      condition: { template: '{{webhook.check_result.triggered_condition.description}}' },
    },
  },
  expected: [
    {
      title: 'Payments',
      severity: 'warning',
      description:
        'Stream had 40 messages in the last 5 minutes with trigger condition more than 10 messages.',
      source: 'Graylog',
      service: 'payments-2',
      status: 'firing',
    },
  ],
} satisfies CatalogueSource;
