import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const check = (id: number, type: string, state: string, value: number): JsonValue => ({
  triggered_at: '2026-03-01T08:00:00.000000000Z',
  state,
  alert: { id, type, stat: 'avg', window_duration: 5, value: 1000, op: 'gt' },
  check: {
    id: 20,
    name: 'Forum',
    method: 'GET',
    protocol: 'https',
    url: 'forum.example.com',
    apdex_threshold: 700,
  },
  value,
});

export default [
  {
    what: 'two rules of a check: one ends',
    shape: 'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/apex_ping/v3.rb',
    steps: [
      ['triggered', check(1, 'time_total', 'triggered', 1400)],
      ['another rule', check(2, 'time_connect', 'triggered', 1100)],
      ['resolved', check(1, 'time_total', 'resolved', 600)],
    ],
    alerts: [
      {
        title: 'Forum: response time',
        severity: 'error',
        description: 'avg of time_total is 1400 (threshold 1000)',
        source: 'Apex Ping',
        service: 'Forum',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'avg of time_total is 600 (threshold 1000)',
      },
      {
        title: 'Forum: time connect',
        severity: 'error',
        description: 'avg of time_connect is 1100 (threshold 1000)',
        source: 'Apex Ping',
        service: 'Forum',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a rule ends, and triggers again',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/apex_ping/v3_test.rb',
    steps: [
      ['triggered', check(3, 'time_total', 'triggered', 1400)],
      ['resolved', check(3, 'time_total', 'resolved', 600)],
      ['triggered again', check(3, 'time_total', 'triggered', 1500)],
    ],
    alerts: [
      {
        title: 'Forum: response time',
        severity: 'error',
        description: 'avg of time_total is 1400 (threshold 1000)',
        source: 'Apex Ping',
        service: 'Forum',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'avg of time_total is 600 (threshold 1000)',
      },
      {
        title: 'Forum: response time',
        severity: 'error',
        description: 'avg of time_total is 1500 (threshold 1000)',
        source: 'Apex Ping',
        service: 'Forum',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
