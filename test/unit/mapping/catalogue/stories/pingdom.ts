import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const check = (
  id: number,
  type: string,
  previous: string,
  current: string,
  time: number,
  text: string,
): JsonValue => ({
  check_id: id,
  check_name: `${type} check`,
  check_type: type,
  check_params: { basic_auth: false, encryption: true, hostname: 'mail.example.com', ipv6: false, port: 993 },
  tags: ['env:production'],
  previous_state: previous,
  current_state: current,
  state_changed_timestamp: time,
  long_description: text,
  description: text,
  first_probe: { ip: '192.0.2.1', ipv6: '', location: 'Oslo' },
  second_probe: {},
});

const alert = (title: string, severity: string, description: string) => ({
  title,
  severity,
  description,
  source: 'Pingdom',
  service: 'mail.example.com',
  environment: 'production',
});

export default [
  {
    what: 'a check goes down and up, and old news arrives late',
    shape: 'zulip/zulip zerver/webhooks/pingdom/fixtures/imap_down_to_up.json',
    steps: [
      ['fired', check(1, 'IMAP', 'UP', 'DOWN', 1772352000, 'Invalid greeting')],
      ['another problem', check(2, 'SMTP', 'UP', 'DOWN', 1772352060, 'Timeout')],
      ['resolved', check(1, 'IMAP', 'DOWN', 'UP', 1772352600, 'OK')],
      ['late', check(1, 'IMAP', 'UP', 'DOWN', 1772352000, 'Invalid greeting')],
    ],
    alerts: [
      {
        ...alert('IMAP check is down', 'critical', 'Invalid greeting'),
        status: 'resolved',
        eventCount: 2,
        resolution: 'OK',
      },
      { ...alert('SMTP check is down', 'critical', 'Timeout'), status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a failure that is not confirmed, and a transaction that fails',
    shape:
      'zulip/zulip zerver/webhooks/pingdom/fixtures/http_up_to_down.json, https://www.pingdom.com/resources/webhooks/',
    steps: [
      ['unconfirmed', check(3, 'HTTP', 'UP', 'UNCONFIRMED_DOWN', 1772352000, 'Timeout')],
      ['up', check(3, 'HTTP', 'UNCONFIRMED_DOWN', 'UP', 1772352060, 'OK')],
      ['fired', check(4, 'TRANSACTION', 'SUCCESS', 'FAILING', 1772352000, 'Step 2 failed')],
      ['resolved', check(4, 'TRANSACTION', 'FAILING', 'SUCCESS', 1772352600, 'OK')],
    ],
    alerts: [
      {
        ...alert('TRANSACTION check fails', 'error', 'Step 2 failed'),
        status: 'resolved',
        eventCount: 2,
        resolution: 'OK',
      },
    ],
  },
] satisfies Story[];
