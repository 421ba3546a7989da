import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const job = (type: string, rule: string, environment: string): JsonValue => ({
  id: 'p9Kd2',
  monitor: 'Nightly backup',
  description: `${rule}\nSchedule: every night`,
  type,
  rule,
  environment,
  group: 'Databases',
  issue_url: 'https://cronitor.io/app/issues/1',
  monitor_url: 'https://cronitor.io/app/monitors/p9Kd2',
});

const heartbeat = (id: string, type: string): JsonValue => ({
  id,
  monitor: `Heartbeat ${id}`,
  type,
  description: type === 'Alert' ? 'Sent no event for an hour' : 'Sent an event',
  rule: 'not_on_schedule',
});

export default [
  {
    what: 'a job fails in two environments, and recovers in one',
    shape: 'https://cronitor.io/docs/using-webhooks',
    steps: [
      ['failed', job('ALERT', 'not_on_schedule', 'production')],
      ['another environment', job('ALERT', 'not_on_schedule', 'staging')],
      ['another rule', job('ALERT', 'ran_longer_than', 'production')],
      ['recovered', job('RECOVERY', 'complete', 'production')],
    ],
    alerts: [
      {
        title: 'Nightly backup',
        severity: 'error',
        description: 'ran_longer_than\nSchedule: every night',
        source: 'Cronitor',
        service: 'Databases',
        environment: 'production',
        status: 'resolved',
        eventCount: 3,
        resolution: 'complete\nSchedule: every night',
      },
      {
        title: 'Nightly backup',
        severity: 'error',
        description: 'not_on_schedule\nSchedule: every night',
        source: 'Cronitor',
        service: 'Databases',
        environment: 'staging',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'two heartbeats without an environment: one recovers',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/cronitor/v3_test.rb',
    steps: [
      ['missed', heartbeat('a1', 'Alert')],
      ['another one', heartbeat('b2', 'Alert')],
      ['recovered', heartbeat('a1', 'Recovery')],
    ],
    alerts: [
      {
        title: 'Heartbeat a1',
        severity: 'error',
        description: 'Sent no event for an hour',
        source: 'Cronitor',
        service: 'Heartbeat a1',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Sent an event',
      },
      {
        title: 'Heartbeat b2',
        severity: 'error',
        description: 'Sent no event for an hour',
        source: 'Cronitor',
        service: 'Heartbeat b2',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
