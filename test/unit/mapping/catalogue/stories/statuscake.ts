import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const test = (TestID: string, Name: string, Status: string, StatusCode: string, more = {}): JsonValue => ({
  TestID,
  URL: 'https://shop.example.com',
  Token: 'example',
  Method: 'Website',
  Name,
  StatusCode,
  Status,
  ...more,
});

const shown = { source: 'StatusCake', environment: null };

export default [
  {
    what: 'a test goes down, again, and up',
    shape: 'https://www.statuscake.com/kb/knowledge-base/how-to-use-the-web-hook-url/',
    steps: [
      ['fired', test('71', 'Shop', 'Down', '504')],
      ['another problem', test('72', 'Shop from Asia', 'Down', '0')],
      ['repeated', test('71', 'Shop', 'Down', '503')],
      ['resolved', test('71', 'Shop', 'Up', '200')],
    ],
    alerts: [
      {
        ...shown,
        title: 'Shop is down',
        severity: 'critical',
        description: 'https://shop.example.com is Down (status 503)',
        service: 'Shop',
        status: 'resolved',
        eventCount: 3,
        resolution: 'https://shop.example.com is Up (status 200)',
      },
      {
        ...shown,
        title: 'Shop from Asia is down',
        severity: 'critical',
        description: 'https://shop.example.com is Down (status 0)',
        service: 'Shop from Asia',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'states in upper case, without a code',
    shape: 'alerta/alerta-contrib webhooks/statuscake/alerta_statuscake.py',
    steps: [
      ['fired', test('73', 'Docs', 'DOWN', '', { Tags: 'public' })],
      ['resolved', test('73', 'Docs', 'UP', '', { Tags: 'public' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'Docs is down',
        severity: 'critical',
        description: 'https://shop.example.com is DOWN',
        service: 'Docs',
        status: 'resolved',
        eventCount: 2,
        resolution: 'https://shop.example.com is UP',
      },
    ],
  },
] satisfies Story[];
