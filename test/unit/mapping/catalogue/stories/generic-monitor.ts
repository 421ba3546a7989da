import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const monitor = (
  status: string,
  name: string,
  data: JsonValue,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  monitor: { id: 'mon_7', status, priority: 'P1', ...more },
  resource: { name, type: 'pod', namespace: 'shop' },
  data,
});

const alert = { source: 'Webhook', severity: 'critical', environment: 'shop' };

export default [
  {
    what: 'a monitor alerts, has no data and recovers, and alerts about another resource',
    shape: 'harness/developer-hub docs/ai-sre/alerts/webhooks/use-mustache-webhooks.md',
    steps: [
      ['fired', monitor('ALERT', 'api-1', { threshold: 70, current_value: 88, duration: '5m' })],
      ['no data', monitor('NO_DATA', 'api-1', {})],
      ['another resource', monitor('ALERT', 'api-2', { current_value: 71 })],
      ['recovered', monitor('OK', 'api-1', { threshold: 70, current_value: 40, duration: '5m' })],
    ],
    alerts: [
      {
        ...alert,
        title: 'mon_7 on pod api-1',
        description: 'mon_7',
        service: 'api-1',
        status: 'resolved',
        eventCount: 3,
        resolution: 'mon_7: 40 (threshold 70) for 5m',
      },
      {
        ...alert,
        title: 'mon_7 on pod api-2',
        description: 'mon_7: 71',
        service: 'api-2',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a monitor with a name and without a namespace warns and recovers',
    shape: 'https://docs.openstatus.dev/alerting/providers/webhook, with a resource',
    steps: (['WARN', 'RECOVERED'] as const).map((status) => [
      status,
      {
        monitor: { id: 1, name: 'Front page', status },
        resource: { name: 'www' },
        data: { current_value: 3 },
      },
    ]),
    alerts: [
      {
        ...alert,
        title: 'Front page on www',
        severity: 'error',
        description: 'Front page: 3',
        service: 'www',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
