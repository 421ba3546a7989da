import type { Story } from '../story.js';

const create = (message: string, priority: string, more: object = {}) => ({
  action: 'Create',
  alias: 'a1',
  message,
  priority,
  ...more,
});

const act = (action: string, more: object = {}) => ({
  action,
  alias: 'a1',
  user: 'Kim',
  source: 'chat',
  ...more,
});

const shown = (title: string, severity: string, status: string, eventCount: number, description = title) => ({
  ...{ title, severity, description, source: 'Opsgenie API', service: null },
  ...{ environment: null, status, eventCount },
});

export default [
  {
    what: 'repeats keep the texts, notes change nothing, and what is changed on purpose shows',
    shape: 'opsgenie/opsgenie-oas',
    steps: [
      ['fired', create('Slow', 'P3')],
      ['repeated', create('Slower', 'P1', { description: 'It takes 9 s' })],
      ['acknowledged', act('Acknowledge', { note: 'Looking' })],
      ['a note', act('AddNote', { note: 'A query has no index' })],
      ['more urgent', act('UpdatePriority', { priority: 'P2' })],
      ['another message', act('UpdateMessage', { message: 'Very slow' })],
      ['closed', act('Close', { note: 'Added the index' })],
      ['a note after the end', act('AddNote', { note: 'Thanks' })],
      ['fired again', create('Slow again', 'P5')],
    ],
    alerts: [
      { ...shown('Very slow', 'error', 'resolved', 7, 'Slow'), resolution: 'Added the index' },
      shown('Slow again', 'info', 'firing', 1),
    ],
  },
  {
    what: 'a recovery that is created before it is closed keeps the message of the problem',
    shape: 'TwiN/gatus alerting/provider/opsgenie/opsgenie.go',
    steps: [
      ['fired', create('gatus: api is down', 'P1', { tags: ['gatus'], details: { 'endpoint:url': 'x' } })],
      ['resolved', create('RESOLVED: api', 'P1')],
      ['closed', act('Close')],
    ],
    alerts: [shown('gatus: api is down', 'critical', 'resolved', 3)],
  },
] satisfies readonly Story[];
