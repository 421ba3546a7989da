import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const found = (search_name: string | null, result: JsonValue, sid = 'scheduler__ops__1'): JsonValue => ({
  sid,
  search_name,
  app: 'search',
  owner: 'ops',
  results_link: 'https://splunk.example.com/app/search/@go?sid=1',
  result,
});

const alone = { source: 'Splunk', status: null, eventCount: 1 };

export default [
  {
    what: 'each run of a search is an alert, also with several hosts or without a result',
    shape: 'https://docs.splunk.com/Documentation/Splunk/latest/Alert/Webhooks',
    steps: [
      [
        'fired',
        found('Failed logins', { host: ['gate-1', 'gate-2'], severity: ['high', 'low'], env: 'prod' }),
      ],
      ['another problem', found('No heartbeats', null, 'scheduler__ops__2')],
    ],
    alerts: [
      {
        title: 'Failed logins',
        severity: 'error',
        description: 'Failed logins',
        service: 'gate-1, gate-2',
        environment: 'prod',
        ...alone,
      },
      {
        title: 'No heartbeats',
        severity: 'warning',
        description: 'No heartbeats',
        service: null,
        environment: null,
        ...alone,
      },
    ],
  },
  {
    what: 'a delivery that is sent again after a timeout',
    shape: 'https://docs.splunk.com/Documentation/Splunk/latest/Alert/Webhooks',
    steps: [
      ['fired', found('Failed logins', { host: 'gate-1' })],
      ['repeated', found('Failed logins', { host: 'gate-1' })],
    ],
    alerts: [
      {
        title: 'Failed logins',
        severity: 'warning',
        description: 'Failed logins',
        service: 'gate-1',
        environment: null,
        ...alone,
        eventCount: 2,
      },
    ],
  },
  {
    what: 'a search without a name',
    shape: 'zulip/zulip zerver/webhooks/splunk/fixtures/missing_search_name.json',
    steps: [
      [
        'fired',
        found(null, { host: 'gate-3', index: 'main', _raw: 'Mar  1 08:00:00 gate-3 sudo: session closed' }),
      ],
    ],
    alerts: [
      {
        title: 'Mar  1 08:00:00 gate-3 sudo: session closed',
        severity: 'warning',
        description: 'Mar  1 08:00:00 gate-3 sudo: session closed',
        service: 'gate-3',
        environment: null,
        ...alone,
      },
    ],
  },
] satisfies Story[];
