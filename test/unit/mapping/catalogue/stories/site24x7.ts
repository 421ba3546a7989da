import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const monitor = (MONITOR_ID: string, MONITORNAME: string, STATUS: string, more = {}): JsonValue => ({
  MONITOR_ID,
  MONITORNAME,
  MONITORURL: 'https://book.example.com',
  MONITORTYPE: 'URL',
  MONITOR_DASHBOARD_LINK: `https://www.site24x7.com/app/client#/home/monitors/${MONITOR_ID}/Summary`,
  STATUS,
  INCIDENT_REASON: 'Host Unavailable',
  INCIDENT_TIME_ISO: '2026-03-01T08:00:00+0000',
  ...more,
});

const shown = { source: 'Site24x7', description: 'Host Unavailable' };

export default [
  {
    what: 'a monitor is in trouble, goes down and up, and another one is suspended',
    shape: 'https://www.site24x7.com/help/admin/third-party-integrations/webhooks.html',
    steps: [
      ['fired', monitor('81', 'Booking', 'TROUBLE', { TAGS: [{ key: 'env', value: 'production' }] })],
      ['another problem', monitor('82', 'Invoices', 'CRITICAL')],
      ['worse', monitor('81', 'Booking', 'DOWN', { TAGS: [{ key: 'env', value: 'production' }] })],
      ['resolved', monitor('81', 'Booking', 'UP', { INCIDENT_REASON: '' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'Booking is down',
        severity: 'info',
        service: 'Booking',
        environment: 'production',
        status: 'resolved',
        eventCount: 3,
      },
      {
        ...shown,
        title: 'Invoices is critical',
        severity: 'critical',
        service: 'Invoices',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a monitor that is suspended while it is down',
    shape: 'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/site24x7/v3.rb',
    steps: [
      [
        'fired',
        monitor('83', 'Search', 'DOWN', { MONITOR_GROUPNAME: 'Web', FAILED_LOCATIONS: 'Paris - FR' }),
      ],
      ['suspended', monitor('83', 'Search', 'SUSPENDED', { MONITOR_GROUPNAME: 'Web' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'Search is down',
        severity: 'info',
        service: 'Search',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
