import type { Story } from '../story.js';

const alert = { source: 'ElastAlert', status: null, eventCount: 1 };

export default [
  {
    what: 'two matches of rules with bodies of their own',
    shape: 'https://elastalert2.readthedocs.io/en/latest/alerts.html#http-post',
    steps: [
      [
        'matched',
        {
          rule_name: 'Odd logins',
          alarm_level: 'P2',
          message: 'Login from a new country',
          environment: 'shop',
        },
      ],
      [
        'another match',
        { Title: 'Slow search', Description: 'Searches take 4 s', Severity: 'critical', Service: 'search' },
      ],
    ],
    alerts: [
      {
        ...alert,
        title: 'Odd logins',
        severity: 'error',
        description: 'Login from a new country',
        service: null,
        environment: 'shop',
      },
      {
        ...alert,
        title: 'Slow search',
        severity: 'critical',
        description: 'Searches take 4 s',
        service: 'search',
        environment: null,
      },
    ],
  },
  {
    what: 'the whole match, in the Elastic Common Schema, with a severity that nobody knows',
    shape: 'jertel/elastalert2 tests/alerters/httppost2_test.py',
    steps: [
      [
        'matched',
        {
          '@timestamp': '2026-03-01T08:00:00Z',
          message: 'Payment refused',
          severity: 'purple',
          service: { name: 'payments', environment: 'staging' },
          num_hits: 3,
          _index: 'logs-2026.03.01',
        },
      ],
    ],
    alerts: [
      {
        ...alert,
        title: 'Payment refused',
        severity: 'warning',
        description: 'Payment refused',
        service: 'payments',
        environment: 'staging',
      },
    ],
  },
] satisfies Story[];
