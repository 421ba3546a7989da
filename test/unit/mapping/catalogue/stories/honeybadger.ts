import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const PROJECT = { id: 12, name: 'Shop', owner: { id: 3, name: 'Example' } };

const fault = (event: string, message: string, lastNotice: string, id = 501): JsonValue => ({
  event,
  message: `[Shop/production] ${message}`,
  project: PROJECT,
  fault: {
    id,
    project_id: 12,
    klass: 'Net::ReadTimeout',
    component: 'stock',
    action: 'update',
    environment: 'production',
    resolved: event === 'resolved',
    message: 'the warehouse does not respond',
    last_notice_at: lastNotice,
    url: `https://app.honeybadger.io/projects/12/faults/${id}`,
  },
});

const site = (event: string, id: string, name: string, downAt: string): JsonValue => ({
  event,
  message: `[Shop] ${name} is ${event}.`,
  project: PROJECT,
  site: { id, name, url: 'https://shop.example.com', state: event },
  outage: { down_at: downAt, up_at: event === 'up' ? '2026-03-01T09:00:00.000000Z' : null, status: 503 },
});

const checkIn = (event: string): JsonValue => ({
  event,
  message: `[Shop] ${event === 'check_in_missing' ? "MISSING: Export hasn't checked in" : 'REPORTING: Export'}`,
  project: PROJECT,
  check_in: { state: 'missing', id: 'ci-1', name: 'Export', missed_count: 1 },
});

const FIRST = '2026-03-01T08:00:00.000000Z';
const SECOND = '2026-03-01T08:20:00.000000Z';
const NEXT = '2026-03-02T07:00:00.000000Z';

const timeout = {
  title: 'Net::ReadTimeout',
  source: 'Honeybadger',
  service: 'Shop',
  environment: 'production',
};

export default [
  {
    what: 'a fault is commented on and resolved, an error before the end arrives late, and the next one opens it again',
    shape: 'zulip/zulip zerver/webhooks/honeybadger/fixtures: occurred, rate_exceeded, commented, resolved',
    steps: [
      ['fired', fault('occurred', 'Net::ReadTimeout: the warehouse does not respond', FIRST)],
      ['repeated more often', fault('rate_exceeded', 'Net::ReadTimeout has occurred 90 times', SECOND)],
      ['commented', fault('commented', 'Kim commented on Net::ReadTimeout', SECOND)],
      ['another problem', fault('occurred', 'Net::ReadTimeout: another one', FIRST, 502)],
      ['resolved', fault('resolved', 'Net::ReadTimeout was resolved', SECOND)],
      ['reported late', fault('occurred', 'Net::ReadTimeout: the warehouse does not respond', SECOND)],
      ['fired again', fault('occurred', 'Net::ReadTimeout: again', NEXT)],
      [
        'a deployment',
        { event: 'deployed', message: '[Shop] Kim deployed', project: PROJECT, deploy: { id: 1 } },
      ],
    ],
    alerts: [
      {
        ...timeout,
        severity: 'error',
        description: '[Shop/production] Net::ReadTimeout: the warehouse does not respond',
        status: 'resolved',
        eventCount: 4,
        resolution: '[Shop/production] Net::ReadTimeout was resolved',
      },
      {
        ...timeout,
        severity: 'error',
        description: '[Shop/production] Net::ReadTimeout: another one',
        status: 'firing',
        eventCount: 1,
      },
      {
        ...timeout,
        severity: 'error',
        description: '[Shop/production] Net::ReadTimeout: again',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a site, a check-in and an alarm fail and recover, and an outage is reported late',
    shape: 'https://docs.honeybadger.io/guides/integrations/payloads/v2/',
    steps: [
      ['a site is down', site('down', 's-1', 'Front page', FIRST)],
      ['another problem', site('down', 's-2', 'Checkout', FIRST)],
      ['a check-in is missing', checkIn('check_in_missing')],
      [
        'an alarm',
        {
          event: 'alarm_alert',
          message: '[Shop] Orders dropped',
          alarm: { id: null, name: 'Orders', state: 'alarm', url: 'https://app.honeybadger.io/alarms/1' },
        },
      ],
      ['the site is up', site('up', 's-1', 'Front page', FIRST)],
      ['the check-in reports', checkIn('check_in_reporting')],
      [
        'the alarm ends',
        {
          event: 'alarm_ok',
          message: '[Shop] OK: Orders',
          alarm: { id: null, name: 'Orders', state: 'ok', url: 'https://app.honeybadger.io/alarms/1' },
        },
      ],
      ['reported late', site('down', 's-1', 'Front page', FIRST)],
    ],
    alerts: [
      {
        title: 'Front page',
        severity: 'critical',
        description: '[Shop] Front page is down.',
        source: 'Honeybadger',
        service: 'Shop',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: '[Shop] Front page is up.',
      },
      {
        title: 'Checkout',
        severity: 'critical',
        description: '[Shop] Checkout is down.',
        source: 'Honeybadger',
        service: 'Shop',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'Export',
        severity: 'error',
        description: "[Shop] MISSING: Export hasn't checked in",
        source: 'Honeybadger',
        service: 'Shop',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: '[Shop] REPORTING: Export',
      },
      {
        title: 'Orders',
        severity: 'error',
        description: '[Shop] Orders dropped',
        source: 'Honeybadger',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: '[Shop] OK: Orders',
      },
    ],
  },
] satisfies Story[];
