import type { Story } from '../story.js';

const trigger = (summary: string, severity: string, more: object = {}) => ({
  event_action: 'trigger',
  dedup_key: 'd1e2',
  payload: { summary, source: 'cache-1', severity, component: 'redis', ...more },
});

const shown = (title: string, severity: string, status: string, eventCount: number) => ({
  ...{ title, severity, description: title, source: 'cache-1', service: 'redis' },
  ...{ environment: null, status, eventCount },
});

export default [
  {
    what: 'repeats replace the text, an acknowledgement changes nothing, and a resolve needs no payload',
    shape: 'https://developer.pagerduty.com/docs/send-alert-event',
    steps: [
      ['fired', trigger('Memory 91%', 'warning')],
      ['a release', { event_action: 'change', payload: { summary: 'Release 2.4', source: 'ci' } }],
      ['worse', trigger('Memory 99%', 'critical')],
      ['acknowledged', { event_action: 'acknowledge', dedup_key: 'd1e2' }],
      ['resolved', { event_action: 'resolve', dedup_key: 'd1e2' }],
      ['resolved again', { event_action: 'resolve', dedup_key: 'd1e2' }],
      ['fired again', trigger('Memory 92%', 'warning')],
    ],
    alerts: [shown('Memory 99%', 'critical', 'resolved', 4), shown('Memory 92%', 'warning', 'firing', 1)],
  },
  {
    what: 'the severity of a resolve does not count',
    shape: 'Checkmk/checkmk notifications/pagerduty',
    steps: [
      ['fired', trigger('Memory 99%', 'critical')],
      ['resolved', { ...trigger('Memory is OK', 'info'), event_action: 'resolve' }],
    ],
    alerts: [{ ...shown('Memory 99%', 'critical', 'resolved', 2), resolution: 'Memory is OK' }],
  },
  {
    what: 'events of version 1',
    shape: 'https://developer.pagerduty.com/docs/send-v1-event',
    steps: [
      [
        'fired',
        {
          event_type: 'trigger',
          incident_key: 'k',
          description: 'backup is DOWN',
          client: 'Checks',
          details: {},
        },
      ],
      // Alertmanager sends members of version 2 along.
      [
        'resolved',
        {
          event_type: 'resolve',
          event_action: '',
          incident_key: 'k',
          payload: null,
          description: 'backup is UP',
        },
      ],
    ],
    alerts: [
      {
        title: 'backup is DOWN',
        severity: 'error',
        description: 'backup is DOWN',
        source: 'Checks',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'backup is UP',
      },
    ],
  },
] satisfies readonly Story[];
