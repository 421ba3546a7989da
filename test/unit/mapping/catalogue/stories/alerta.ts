import type { Story } from '../story.js';

const send = (event: string, severity: string, text: string, more: object = {}) => ({
  ...{ resource: 'node-1', event, environment: 'Production', severity, text, service: ['Network'] },
  dedupKey: 'Production/node-1/node_down,node_marginal,node_up',
  ...more,
});

const operate = (operation: string, more: object = {}) => ({
  ...more,
  operation,
  dedupKey: 'Production/node-1/node_down,node_marginal,node_up',
});

const shown = (title: string, severity: string, description: string, status: string, eventCount: number) => ({
  ...{ title, severity, description, source: 'node-1', service: 'Network' },
  ...{ environment: 'Production', status, eventCount },
});

export default [
  {
    what: 'correlated events are one alert, and the newest one shows until one of a normal severity',
    shape: 'alerta/alerta tests/test_alerts.py',
    steps: [
      ['fired', send('node_marginal', 'major', 'Slow')],
      ['repeated', send('node_marginal', 'major', 'Slow')],
      ['acknowledged', operate('status', { status: 'ack', text: 'Looking' })],
      ['worse', send('node_down', 'critical', 'Down')],
      ['a note', operate('note', { text: 'A cable is loose' })],
      ['resolved', send('node_up', 'cleared', 'Up')],
      ['resolved again', send('node_up', 'ok', 'Up')],
      ['fired again', send('node_down', 'minor', 'Down again')],
      ['closed by a person', operate('action', { action: 'close', text: 'Known' })],
    ],
    alerts: [
      { ...shown('node_down on node-1', 'critical', 'Down', 'resolved', 6), resolution: 'Up' },
      { ...shown('node_down on node-1', 'warning', 'Down again', 'resolved', 2), resolution: 'Known' },
    ],
  },
  {
    what: 'Uptime Kuma sends the type of its monitor as the event, and correlates what never comes',
    shape: 'louislam/uptime-kuma server/notification-providers/alerta.js',
    steps: [
      ['down', send('http', 'critical', 'Service http is down.', { origin: 'uptimekuma' })],
      ['up', send('http', 'cleared', 'Service http is up.', { origin: 'uptimekuma' })],
    ],
    alerts: [
      {
        ...shown('http on node-1', 'critical', 'Service http is down.', 'resolved', 2),
        source: 'uptimekuma',
        resolution: 'Service http is up.',
      },
    ],
  },
] satisfies readonly Story[];
