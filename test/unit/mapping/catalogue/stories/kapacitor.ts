import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const alert = (
  host: string,
  level: string,
  minute: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  id: `cpu:host=${host}`,
  message: `cpu:host=${host} is ${level}`,
  details: `{"Name":"cpu","TaskName":"cpu_alert","Group":"host=${host}","Level":"${level}"}`,
  time: `2026-03-01T08:${minute}:00Z`,
  duration: 60000000000,
  level,
  data: {
    series: [
      { name: 'cpu', tags: { host }, columns: ['time', 'idle'], values: [['2026-03-01T08:00:00Z', 3]] },
    ],
  },
  previousLevel: 'OK',
  recoverable: true,
  ...more,
});

const written = (level: string, previousLevel: string, message: string, time: string): JsonValue => ({
  id: 'memory_alert:host=web-1',
  message,
  details: 'Memory of web-1 was above 90% for 5 minutes.',
  level,
  time,
  duration: '5m30s',
  previousLevel,
  data: {
    series: [{ name: 'mem', tags: { host: 'web-1', service: 'shop' }, columns: ['time'], values: [['t']] }],
  },
});

export default [
  {
    what: 'an alert with the default message and details gets worse and ends, its news arrives late, and one without recoveries stands alone',
    shape:
      'https://docs.influxdata.com/kapacitor/v1/reference/event_handlers/post/ and influxdata/kapacitor alert/types.go',
    steps: [
      ['fired', alert('db-1', 'WARNING', '00')],
      ['repeated', alert('db-1', 'CRITICAL', '05', { previousLevel: 'WARNING' })],
      ['another problem', alert('db-2', 'CRITICAL', '06')],
      ['resolved', alert('db-1', 'OK', '20', { previousLevel: 'CRITICAL' })],
      ['delivered late', alert('db-1', 'CRITICAL', '10')],
      ['of a node without recoveries', alert('db-3', 'CRITICAL', '30', { recoverable: false })],
    ],
    alerts: [
      {
        title: 'cpu:host=db-1',
        severity: 'critical',
        description: 'cpu:host=db-1 is CRITICAL',
        source: 'Kapacitor',
        service: 'db-1',
        environment: null,
        status: 'resolved',
        eventCount: 3,
        resolution: 'cpu:host=db-1 is OK',
      },
      {
        title: 'cpu:host=db-2',
        severity: 'critical',
        description: 'cpu:host=db-2 is CRITICAL',
        source: 'Kapacitor',
        service: 'db-2',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'cpu:host=db-3',
        severity: 'critical',
        description: 'cpu:host=db-3 is CRITICAL',
        source: 'Kapacitor',
        service: 'db-3',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a message and details that somebody wrote',
    shape: 'keephq/keep keep/providers/kapacitor_provider/alerts_mock.py',
    steps: [
      ['fired', written('CRITICAL', 'OK', 'Memory of web-1 is nearly used up', '2026-03-01T08:00:00Z')],
      ['resolved', written('OK', 'CRITICAL', 'Memory of web-1 is nearly used up', '2026-03-01T08:05:30.25Z')],
    ],
    alerts: [
      {
        title: 'Memory of web-1 is nearly used up',
        severity: 'critical',
        description: 'Memory of web-1 was above 90% for 5 minutes.',
        source: 'Kapacitor',
        service: 'shop',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
