import type { CatalogueSource } from '../source.js';

export default {
  name: 'uptime-kuma',
  title: 'Uptime Kuma',
  documentation: 'https://github.com/louislam/uptime-kuma/wiki/Notification-Methods',
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
  recovery: {
    heartbeat: { status: 1, time: '2026-02-03 10:30:00.120', msg: '200 - OK' },
    msg: '[Wiki] [Up] 200 - OK',
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.title|webhook.monitor.name|webhook.heartbeat.msg|webhook.msg}}' },
      // 0 is down, 1 up, 2 pending, 3 maintenance.
      severity: {
        template: '{{webhook.heartbeat.status}}',
        values: { 0: 'critical', 1: 'info', 2: 'warning', 3: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.heartbeat.msg|webhook.msg}}' },
      source: { template: 'Uptime Kuma' },
      service: { template: '{{webhook.monitor.name}}' },
      environment: { template: '{{webhook.monitor.tags.environment|webhook.monitor.tags.env}}' },
      team: { template: '{{webhook.monitor.tags.team}}' },
      status: {
        template: '{{webhook.heartbeat.status}}',
        values: { 0: 'firing', 1: 'resolved', 2: 'firing', 3: 'resolved' },
      },
      // The monitor. 0 is down, 1 up, 2 pending, 3 maintenance. A notice about a certificate has no monitor.
      dedupKey: { template: '{{webhook.monitor.id}}' },
    },
    custom: { link: { template: '{{webhook.monitor.url}}' } },
  },
  expected: [
    {
      title: 'Wiki',
      severity: 'critical',
      description: 'connect ECONNREFUSED 192.0.2.20:443',
      source: 'Uptime Kuma',
      service: 'Wiki',
      team: 'docs',
      status: 'firing',
      dedupKey: '8',
    },
  ],
} satisfies CatalogueSource;
