import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const monitor = (
  monitorID: string,
  name: string,
  action: string,
  time: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  action,
  event: {
    monitorID,
    body: `The value of ${name} is 12`,
    description: '',
    queryEndTime: `2026-03-01 ${time}:00.123456 +0000 UTC`,
    queryStartTime: '2026-03-01 07:00:00.123456 +0000 UTC',
    timestamp: `2026-03-01 ${time}:00 +0000 UTC`,
    title: `${action === 'Open' ? 'Triggered' : 'Resolved'}: ${name}`,
    value: 12,
    ...more,
  },
});

export default [
  {
    what: 'two threshold monitors: one is resolved and reported late',
    shape: 'https://axiom.co/docs/monitor-data/custom-webhook-notifier',
    steps: [
      ['open', monitor('m-1', 'Failed payments', 'Open', '08:00')],
      ['another monitor', monitor('m-2', 'Slow queries', 'Open', '08:01')],
      ['closed', monitor('m-1', 'Failed payments', 'Closed', '08:10')],
      ['open, late', monitor('m-1', 'Failed payments', 'Open', '08:00')],
    ],
    alerts: [
      {
        title: 'Failed payments',
        severity: 'error',
        description: 'The value of Failed payments is 12',
        source: 'Axiom',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'Slow queries',
        severity: 'error',
        description: 'The value of Slow queries is 12',
        source: 'Axiom',
        service: null,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'events that a match monitor finds stand alone',
    shape: 'PagerTree/pager_tree-integrations docs of Axiom',
    steps: [
      [
        'matched',
        monitor('m-3', 'Root log-in', 'Open', '08:00', {
          body: 'Event matched',
          matchedEvent: { service: 'bastion', user: 'root' },
        }),
      ],
      [
        'matched again',
        monitor('m-3', 'Root log-in', 'Open', '08:05', {
          body: 'Event matched',
          matchedEvent: { service: 'vpn', user: 'root' },
        }),
      ],
      ['a threshold monitor', monitor('m-4', 'Errors', 'Open', '08:06')],
      ['closed', monitor('m-4', 'Errors', 'Closed', '08:07')],
    ],
    alerts: [
      {
        title: 'Root log-in',
        severity: 'error',
        description: 'Event matched',
        source: 'Axiom',
        service: 'bastion',
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'Root log-in',
        severity: 'error',
        description: 'Event matched',
        source: 'Axiom',
        service: 'vpn',
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'Errors',
        severity: 'error',
        description: 'The value of Errors is 12',
        source: 'Axiom',
        service: null,
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
