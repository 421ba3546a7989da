import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const monitor = (
  location: string,
  notify_type: string,
  time: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  source: 'AlertSite',
  notify_type,
  custid: 'C7',
  company: 'Example',
  device_id: '55',
  device_name: 'Basket API',
  timestamp: `2026-03-01T${time}:00Z`,
  status: notify_type === 'clear' ? '0' : '4',
  errcount: '2',
  status_text: notify_type === 'clear' ? 'No error' : 'The server closed the connection',
  location,
  device_type: 'API Monitor',
  url: 'https://api.example.com/basket',
  ...more,
});

export default [
  {
    what: 'a monitor fails from two locations, and recovers in one',
    shape: 'https://support.smartbear.com/alertsite/docs/alerts/webhooks/index.html',
    steps: [
      ['alert', monitor('Oslo', 'alert', '08:00')],
      ['another location', monitor('Lima', 'alert', '08:01')],
      ['repeated', monitor('Oslo', 'alert', '08:05', { errcount: '3' })],
      ['clear', monitor('Oslo', 'clear', '08:10')],
      ['alert, late', monitor('Oslo', 'alert', '08:05')],
    ],
    alerts: [
      {
        title: 'Basket API (Oslo)',
        severity: 'error',
        description: 'The server closed the connection',
        source: 'AlertSite',
        service: 'Basket API',
        environment: null,
        status: 'resolved',
        eventCount: 3,
        resolution: 'No error',
      },
      {
        title: 'Basket API (Lima)',
        severity: 'error',
        description: 'The server closed the connection',
        source: 'AlertSite',
        service: 'Basket API',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a monitor whose locations rotate, with the words of the status',
    shape:
      'harness/developer-hub docs/ai-sre/alerts/webhooks/templates/monitoring/alertsite.md, whose statuses are words',
    steps: [
      [
        'alert',
        monitor('Rome', 'alert', '08:00', {
          status: 'error',
          location_num: '4',
          device_typecode: 'API',
          transaction: 'GET /basket',
          http_status: '500',
          step_num: '2',
          step_name: 'Pay',
          rotated_locations: [{ status: 'error', status_text: 'It responded with 500', location: 'Rome-2' }],
        }),
      ],
      ['clear', monitor('Rome', 'clear', '08:20')],
    ],
    alerts: [
      {
        title: 'Basket API (Rome)',
        severity: 'error',
        description: 'The server closed the connection',
        source: 'AlertSite',
        service: 'Basket API',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'No error',
      },
    ],
  },
] satisfies Story[];
