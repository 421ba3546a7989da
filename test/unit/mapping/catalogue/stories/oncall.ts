import type { Story } from '../story.js';

const shown = (title: string, description: string, status: string, eventCount: number) => ({
  ...{ title, severity: 'error', description, source: 'Grafana OnCall', service: null },
  ...{ environment: null, status, eventCount },
});

export default [
  {
    what: 'Uptime Kuma sends no uid, no state while it is down, and another title when it is up',
    shape: 'louislam/uptime-kuma server/notification-providers/grafana-oncall.js',
    steps: [
      ['down', { title: 'Shop is down', message: 'timeout' }],
      ['another is down', { title: 'Blog is down', message: 'timeout' }],
      ['up', { title: 'Shop is up', message: '200 - OK', state: 'ok' }],
    ],
    alerts: [
      { ...shown('Shop is down', 'timeout', 'resolved', 2), resolution: '200 - OK' },
      shown('Blog is down', 'timeout', 'firing', 1),
    ],
  },
  {
    what: 'LibreNMS sends what is acknowledged as alerting, which changes nothing after the end',
    shape: 'librenms/librenms LibreNMS/Alert/Transport/Grafana.php',
    steps: [
      ['fired', { alert_uid: '12', title: 'Device down', state: 'alerting', raw_state: 1, message: 'Down' }],
      [
        'acknowledged',
        { alert_uid: '12', title: 'Device down', state: 'alerting', raw_state: 2, message: 'Down' },
      ],
      ['recovered', { alert_uid: '12', title: 'Device down', state: 'ok', raw_state: 0, message: 'Up' }],
      [
        'acknowledged late',
        { alert_uid: '12', title: 'Device down', state: 'alerting', raw_state: 2, message: 'Up' },
      ],
    ],
    alerts: [{ ...shown('Device down', 'Down', 'resolved', 3), resolution: 'Up' }],
  },
] satisfies readonly Story[];
