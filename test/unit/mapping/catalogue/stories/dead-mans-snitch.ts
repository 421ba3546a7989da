import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const snitch = (token: string, type: string, status: string, time: string, notes = ''): JsonValue => ({
  type: `snitch.${type}`,
  timestamp: `2026-03-01T${time}:00.000Z`,
  data: {
    snitch: { token, name: `Job ${token}`, notes, tags: ['nightly'], status, previous_status: 'healthy' },
  },
});

export default [
  {
    what: 'a snitch reports an error, goes missing and reports again, while another one is missing',
    shape:
      'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/dead_mans_snitch/v3_test.rb',
    steps: [
      ['errored', snitch('a1', 'errored', 'errored', '08:00', 'Look at the disk of the job')],
      ['another one', snitch('b2', 'missing', 'missing', '08:01')],
      ['missing', snitch('a1', 'missing', 'missing', '09:00', 'Look at the disk of the job')],
      ['reporting', snitch('a1', 'reporting', 'healthy', '09:10', 'Look at the disk of the job')],
      ['missing, late', snitch('a1', 'missing', 'missing', '09:00', 'Look at the disk of the job')],
    ],
    alerts: [
      {
        title: 'Job a1',
        severity: 'critical',
        description: 'Look at the disk of the job',
        source: "Dead Man's Snitch",
        service: 'Job a1',
        environment: null,
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'Job b2',
        severity: 'critical',
        description: 'It has not checked in.',
        source: "Dead Man's Snitch",
        service: 'Job b2',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a snitch without notes is paused',
    shape: 'https://deadmanssnitch.com/docs/integrations/webhooks',
    steps: [
      ['errored', snitch('c3', 'errored', 'errored', '08:00')],
      ['paused', snitch('c3', 'paused', 'paused', '08:30')],
    ],
    alerts: [
      {
        title: 'Job c3',
        severity: 'error',
        description: 'It reported an error.',
        source: "Dead Man's Snitch",
        service: 'Job c3',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'It is paused.',
      },
    ],
  },
] satisfies Story[];
