import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const beat = (
  id: number,
  name: string,
  status: number,
  time: string,
  msg: string,
  tags: JsonValue = [],
): JsonValue => ({
  heartbeat: { monitorID: id, status, time: `2026-03-01 ${time}.000`, msg, ping: null, duration: 60 },
  monitor: { id, name, type: 'http', url: `https://${name.toLowerCase()}.example.com`, tags },
  msg: `[${name}] ${msg}`,
});

const notice = (msg: string): JsonValue => ({ heartbeat: null, monitor: null, msg });

const TAGS = [
  { name: 'service', value: 'payments' },
  { name: 'environment', value: 'production' },
  { name: 'team', value: 'sre' },
];

export default [
  {
    what: 'a monitor goes down and up, and old news about it arrives late',
    shape: 'roxy-wi/IncidentRelay docs/integrations/uptime-kuma.md',
    steps: [
      ['fired', beat(4, 'Pay', 0, '08:00:00', 'Request timeout', TAGS)],
      ['another problem', beat(5, 'Shop', 0, '08:01:00', 'ECONNREFUSED')],
      ['repeated', beat(4, 'Pay', 0, '08:05:00', 'Request timeout', TAGS)],
      ['resolved', beat(4, 'Pay', 1, '08:10:00', '200 - OK', TAGS)],
      ['late', beat(4, 'Pay', 0, '08:05:00', 'Request timeout', TAGS)],
      ['maintenance of the other', beat(5, 'Shop', 3, '08:20:00', 'Maintenance')],
      ['down again', beat(5, 'Shop', 0, '09:00:00', 'ECONNREFUSED')],
    ],
    alerts: [
      {
        title: 'Pay is down',
        severity: 'critical',
        description: 'Request timeout',
        source: 'Uptime Kuma',
        service: 'payments',
        environment: 'production',
        team: 'sre',
        status: 'resolved',
        eventCount: 3,
        resolution: '200 - OK',
      },
      {
        title: 'Shop is down',
        severity: 'critical',
        description: 'ECONNREFUSED',
        source: 'Uptime Kuma',
        service: 'Shop',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Maintenance',
      },
      {
        title: 'Shop is down',
        severity: 'critical',
        description: 'ECONNREFUSED',
        source: 'Uptime Kuma',
        service: 'Shop',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'the Test button, and a certificate that expires',
    shape: 'louislam/uptime-kuma server/notification-providers/webhook.js, server/model/monitor.js',
    steps: [
      ['test', notice('Muster Testing')],
      ...[14, 14, 7].map((days): readonly [string, JsonValue] => [
        `${days} days`,
        notice(
          `[Wiki][https://wiki.example.com] server certificate wiki.example.com will expire in ${days} days`,
        ),
      ]),
    ],
    alerts: [
      {
        title: 'Muster Testing',
        severity: 'warning',
        description: 'Muster Testing',
        source: 'Uptime Kuma',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'The certificate of wiki.example.com expires soon',
        severity: 'warning',
        description:
          '[Wiki][https://wiki.example.com] server certificate wiki.example.com will expire in 7 days',
        source: 'Uptime Kuma',
        service: null,
        environment: null,
        status: 'firing',
        eventCount: 3,
      },
    ],
  },
] satisfies Story[];
