import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'uptime-kuma',
  title: 'Uptime Kuma',
  documentation: 'https://github.com/louislam/uptime-kuma/wiki/Notification-Methods',
  options:
    'Choose Notification Type: Webhook and Request Body: Preset - application/json. If there is an HTTP Method, choose POST',
  signature: {
    scheme: 'header-token',
    parameters: { header: 'x-muster-token' },
    setup: 'Setup Notification → Webhook → Additional Headers: {"X-Muster-Token": "…"}',
  },
  sample: {
    heartbeat: {
      monitorID: 8,
      status: 0,
      time: '2026-02-03 10:20:00.120',
      msg: 'connect ECONNREFUSED 192.0.2.20:443',
      important: true,
      duration: 60,
    },
    monitor: {
      id: 8,
      name: 'Wiki',
      url: 'https://wiki.example.com',
      hostname: null,
      type: 'http',
      interval: 60,
      tags: [{ id: 2, monitor_id: 8, tag_id: 3, value: 'docs', name: 'team', color: '#2563EB' }],
    },
    msg: '[Wiki] [Down] connect ECONNREFUSED 192.0.2.20:443',
  },
  otherSamples: [{ heartbeat: null, monitor: null, msg: 'To Muster Testing' }],
  recovery: {
    heartbeat: { status: 1, time: '2026-02-03 10:30:00.120', msg: '200 - OK' },
    msg: '[Wiki] [Up] 200 - OK',
  },
  mapping: {
    fields: {
      // A notice about a certificate has no heartbeat, only a message such as
      // "[Wiki][https://wiki.example.com] server certificate wiki.example.com will expire in 7 days".
      title: {
        expression:
          'first(string(webhook.heartbeat.status), webhook.monitor.name, "") != "" ? first(webhook.monitor.name, webhook.title, webhook.monitor.url) + " is down" : first("The certificate of " + extract(webhook.msg, "certificate (.+) will expire in ") + " expires soon", webhook.title, webhook.heartbeat.msg, webhook.msg)',
      },
      // 0 is down, 1 up, 2 pending, 3 maintenance.
      severity: {
        template: '{{webhook.monitor.tags.severity|webhook.heartbeat.status}}',
        values: { ...SEVERITIES, 0: 'critical', 1: 'info', 2: 'warning', 3: 'info' },
        default: 'warning',
      },
      // "N/A" is what it writes if there is nothing to say.
      description: {
        expression: 'first(webhook.heartbeat.msg, extract(webhook.msg, "^(.*?)(?: N[/]A)?$"), webhook.msg)',
      },
      source: { template: 'Uptime Kuma' },
      service: { template: '{{webhook.monitor.tags.service|webhook.monitor.name}}' },
      environment: { template: '{{webhook.monitor.tags.environment|webhook.monitor.tags.env}}' },
      team: { template: '{{webhook.monitor.tags.team}}' },
      // The Test button sends the name of the notification and "Testing".
      status: {
        expression:
          'first(string(webhook.heartbeat.status), "") != "" ? webhook.heartbeat.status : first(webhook.msg, "").endsWith(" Testing") ? "test" : first(webhook.msg, "").contains(" will expire in ") ? "firing" : null',
        values: { 0: 'firing', 1: 'resolved', 2: 'update', 3: 'resolved' },
      },
      // The time of the heartbeat, in UTC.
      occurrence: { expression: 'webhook.heartbeat.time.replace(" ", "T") + "Z"' },
      // The monitor. Of a certificate, the message without the number of days, which may come with every check.
      dedupKey: {
        expression:
          'first(string(webhook.monitor.id), string(webhook.heartbeat.monitorID), webhook.monitor.name, extract(webhook.msg, "^(.* certificate .+) will expire in "))',
      },
    },
    custom: { link: { template: '{{webhook.monitor.url}}' } },
  },
  expected: [
    {
      title: 'Wiki is down',
      severity: 'critical',
      description: 'connect ECONNREFUSED 192.0.2.20:443',
      source: 'Uptime Kuma',
      service: 'Wiki',
      team: 'docs',
      status: 'firing',
      dedupKey: '8',
      occurrence: '2026-02-03T10:20:00.120Z',
    },
  ],
} satisfies CatalogueSource;
