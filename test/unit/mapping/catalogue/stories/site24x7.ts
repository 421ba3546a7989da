import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const monitor = (MONITOR_ID: number, MONITORNAME: string, STATUS: string, more = {}): JsonValue => ({
  MONITOR_ID,
  MONITORNAME,
  MONITORURL: 'https://book.example.com',
  MONITORTYPE: 'URL',
  MONITOR_DASHBOARD_LINK: `https://www.site24x7.com/app/client#/home/monitors/${MONITOR_ID}/Summary`,
  STATUS,
  FAILED_LOCATIONS: 'Paris - FR',
  INCIDENT_DETAILS: 'Host Unavailable',
  INCIDENT_REASON: 'Host Unavailable',
  OUTAGE_TIME_UNIX_FORMAT: 1772352000037,
  POLLFREQUENCY: 1,
  INCIDENT_TIME: '1 Mar 2026 08:00:00 UTC',
  INCIDENT_TIME_ISO: '2026-03-01T08:00:00+0000',
  ...more,
});

const shown = { source: 'Site24x7', description: 'Host Unavailable' };

export default [
  {
    what: 'a monitor is in trouble, goes down and up, and another one is suspended',
    shape: 'https://docs.firehydrant.com/docs/site24x7-event-source.md',
    steps: [
      [
        'fired',
        monitor(107000000000081, 'Booking', 'TROUBLE', {
          TAGS: ['env:production', 'website'],
          GROUP_TAGS: ['Web'],
        }),
      ],
      ['another problem', monitor(107000000000082, 'Invoices', 'CRITICAL')],
      [
        'worse',
        monitor(107000000000081, 'Booking', 'DOWN', {
          TAGS: ['env:production', 'website'],
          GROUP_TAGS: ['Web'],
        }),
      ],
      ['resolved', monitor(107000000000081, 'Booking', 'UP', { INCIDENT_REASON: '' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'Booking is down',
        severity: 'critical',
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
    shape:
      'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/site24x7/v3.rb and devopsext/events processor/site24x7.go',
    steps: [
      ['fired', monitor(107000000000083, 'Search', 'DOWN', { MONITOR_GROUPNAME: 'Web' })],
      ['suspended', monitor(107000000000083, 'Search', 'SUSPENDED', { MONITOR_GROUPNAME: 'Web' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'Search is down',
        severity: 'critical',
        service: 'Search',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
