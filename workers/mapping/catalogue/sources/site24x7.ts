import { UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'site24x7',
  title: 'Site24x7',
  documentation: 'https://www.site24x7.com/help/admin/third-party-integrations/webhooks.html',
  sample: {
    MONITORNAME: 'Booking',
    MONITORURL: 'https://booking.example.com',
    MONITORTYPE: 'URL',
    MONITOR_ID: 990001,
    MONITOR_DASHBOARD_LINK: 'https://www.site24x7.com/app/client#/home/monitors/990001/Summary',
    STATUS: 'DOWN',
    INCIDENT_REASON: 'Host Unavailable',
    INCIDENT_TIME: 'February 3, 2026 10:20 AM UTC',
    INCIDENT_TIME_ISO: '2026-02-03T10:20:00+0000',
    FAILED_LOCATIONS: 'Frankfurt - DE, Paris - FR',
    MONITOR_GROUPNAME: 'Web',
    POLLFREQUENCY: 1,
    GROUP_TAGS: ['booking'],
    TAGS: ['team:travel', 'website'],
  },
  recovery: { STATUS: 'UP', INCIDENT_REASON: '', FAILED_LOCATIONS: '' },
  mapping: {
    fields: {
      // The end of a problem has the title of its beginning.
      title: {
        expression:
          'first(webhook.STATUS, "") in ["UP", "SUSPENDED"] ? "" : first(webhook.MONITORNAME, webhook.MONITORURL, webhook.INCIDENT_REASON) + first({"TROUBLE": " is in trouble", "CRITICAL": " is critical"}[webhook.STATUS], " is down")',
      },
      severity: {
        template: '{{webhook.STATUS}}',
        values: { ...UP_OR_DOWN, trouble: 'error', critical: 'critical', suspended: 'info' },
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.INCIDENT_REASON, webhook.STATUS in ["UP", "SUSPENDED"] ? "" : webhook.STATUS)',
      },
      source: { template: 'Site24x7' },
      service: { template: '{{webhook.MONITORNAME}}' },
      team: { template: '{{webhook.TAGS.team}}' },
      environment: { template: '{{webhook.TAGS.environment|webhook.TAGS.env}}' },
      status: { template: '{{webhook.STATUS}}', values: { trouble: 'firing', suspended: 'resolved' } },
      // The time of a problem. That of its end may be the same, or that of its first state.
      occurrence: {
        expression:
          'webhook.STATUS in ["UP", "SUSPENDED"] ? "" : first(extract(webhook.INCIDENT_TIME_ISO, "^(.+[+-][0-9]{2})[0-9]{2}$") + ":" + extract(webhook.INCIDENT_TIME_ISO, "[0-9]{2}$"), webhook.INCIDENT_TIME_ISO)',
      },
      // The monitor. Nobody watches a suspended one.
      dedupKey: { template: '{{webhook.MONITOR_ID}}' },
    },
    custom: {
      locations: { template: '{{webhook.FAILED_LOCATIONS}}' },
      link: { template: '{{webhook.MONITOR_DASHBOARD_LINK|webhook.MONITORURL}}' },
    },
  },
  expected: [
    {
      title: 'Booking is down',
      severity: 'critical',
      description: 'Host Unavailable',
      source: 'Site24x7',
      service: 'Booking',
      team: 'travel',
      status: 'firing',
      dedupKey: '990001',
      occurrence: '2026-02-03T10:20:00+00:00',
    },
  ],
} satisfies CatalogueSource;
