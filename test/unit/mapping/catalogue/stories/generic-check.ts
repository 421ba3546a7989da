import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const check = (host: string, state: string, more: Record<string, JsonValue> = {}): JsonValue => ({
  host,
  state,
  output: `PING ${state}`,
  ...more,
});

const shown = { source: 'Webhook', environment: null };

export default [
  {
    what: 'a service of two hosts, and a host itself, fail and recover',
    shape: 'https://www.monitoring-plugins.org/doc/guidelines.html: the states of a plug-in',
    steps: [
      ['fired', check('db-3', 'WARNING', { service: 'disk' })],
      ['another host', check('db-4', 'CRITICAL', { service: 'disk' })],
      ['the host itself', check('db-3', 'DOWN')],
      ['worse', check('db-3', 'CRITICAL', { service: 'disk' })],
      ['resolved', check('db-3', 'OK', { service: 'disk' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'disk on db-3',
        severity: 'critical',
        description: 'PING CRITICAL',
        service: 'disk',
        status: 'resolved',
        eventCount: 3,
        resolution: 'PING OK',
      },
      {
        ...shown,
        title: 'disk on db-4',
        severity: 'critical',
        description: 'PING CRITICAL',
        service: 'disk',
        status: 'firing',
        eventCount: 1,
      },
      {
        ...shown,
        title: 'db-3',
        severity: 'critical',
        description: 'PING DOWN',
        service: 'db-3',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'other names, and the exit codes of a plug-in',
    shape: 'https://www.monitoring-plugins.org/doc/guidelines.html: the exit codes of a plug-in',
    steps: [
      ['fired', { hostname: 'web-1', check: 'http', status: 2, message: '503', env: 'staging', team: 'web' }],
      [
        'resolved',
        { hostname: 'web-1', check: 'http', status: 0, message: '200', env: 'staging', team: 'web' },
      ],
    ],
    alerts: [
      {
        title: 'http on web-1',
        severity: 'critical',
        description: '503',
        source: 'Webhook',
        service: 'http',
        environment: 'staging',
        team: 'web',
        status: 'resolved',
        eventCount: 2,
        resolution: '200',
      },
    ],
  },
] satisfies Story[];
