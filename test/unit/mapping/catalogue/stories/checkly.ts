import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const check = (
  check_name: string,
  alert_type: string,
  time: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  event: `${check_name}: ${alert_type}`,
  alert_type,
  check_name,
  group_name: '',
  check_id: `id of ${check_name}`,
  check_type: 'API',
  check_error_message: alert_type.includes('RECOVERY') ? '' : 'The response has the status 502',
  run_location: 'Ireland',
  ssl_days_remaining: '',
  ssl_check_domain: '',
  started_at: `2026-03-01T${time}:00.000Z`,
  tags: 'env:production, payments',
  link: 'https://app.checklyhq.com/checks/0000',
  ...more,
});

export default [
  {
    what: 'a check fails, goes on failing, is only slow and recovers, while another one fails',
    shape: 'keephq/keep docs/providers/documentation/checkly-provider.mdx',
    steps: [
      ['failed', check('Pay', 'ALERT_FAILURE', '08:00')],
      ['another check', check('Refund', 'ALERT_FAILURE', '08:01')],
      ['goes on', check('Pay', 'ALERT_FAILURE_REMAIN', '08:05')],
      ['slow', check('Pay', 'ALERT_FAILURE_DEGRADED', '08:10')],
      ['recovered', check('Pay', 'ALERT_DEGRADED_RECOVERY', '08:15')],
      ['failed, late', check('Pay', 'ALERT_FAILURE', '08:00')],
      ['passes', check('Pay', 'NO_ALERT', '08:20')],
    ],
    alerts: [
      {
        title: 'Pay',
        severity: 'error',
        description: 'The response has the status 502',
        source: 'Checkly',
        service: 'Pay',
        environment: 'production',
        status: 'resolved',
        eventCount: 4,
        resolution: 'Pay: ALERT_DEGRADED_RECOVERY',
      },
      {
        title: 'Refund',
        severity: 'critical',
        description: 'The response has the status 502',
        source: 'Checkly',
        service: 'Refund',
        environment: 'production',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'the words of an older channel, and a certificate that expires',
    shape: 'https://www.checklyhq.com/docs/alerting-and-retries/webhooks',
    steps: [
      ['failed', check('Home', 'ALERT_FAIL', '08:00')],
      [
        'certificate',
        check('Home', 'ALERT_SSL', '08:02', {
          ssl_days_remaining: '14',
          ssl_check_domain: 'example.com',
          check_error_message: '',
        }),
      ],
      ['recovered', check('Home', 'ALERT_RECOVERY', '08:10')],
    ],
    alerts: [
      {
        title: 'Home',
        severity: 'critical',
        description: 'The response has the status 502',
        source: 'Checkly',
        service: 'Home',
        environment: 'production',
        status: 'resolved',
        eventCount: 2,
        resolution: 'Home: ALERT_RECOVERY',
      },
      {
        title: 'The certificate of example.com expires',
        severity: 'warning',
        description: 'It expires in 14 days',
        source: 'Checkly',
        service: 'Home',
        environment: 'production',
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
