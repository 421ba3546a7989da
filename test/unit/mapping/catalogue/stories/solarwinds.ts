import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const action = (ActionType: string, NodeName: string, AlertMessage: string): JsonValue => ({
  ActionType,
  NodeName,
  AlertID: '61',
  AlertMessage,
  AlertDescription: 'A neighbor does not respond.',
  AlertDetailsUrl: '',
  AcknowledgeUrl: '',
  AlertTriggerCount: '0',
  AlertTriggerTime: 'Never',
  Severity: 'Warning',
});

const named = (AlertObjectID: string, NodeName: string, Severity: number, more = {}): JsonValue => ({
  AlertName: 'Node Down',
  AlertMessage: `Node ${NodeName} does not respond`,
  AlertDescription: 'No reply to ping for 300 s.',
  AlertObjectID,
  AlertActiveID: `88${AlertObjectID}`,
  Severity,
  Acknowledged: false,
  NodeName,
  ...more,
});

const shown = { source: 'SolarWinds', environment: null };

export default [
  {
    what: 'the actions of a rule on two nodes: trigger, acknowledgement and reset',
    shape: 'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/solar_winds/v3.rb',
    steps: [
      ['fired', action('Create', 'core-1', 'Neighbor of core-1 went down')],
      ['another problem', action('Create', 'core-2', 'Neighbor of core-2 went down')],
      ['acknowledged', action('Acknowledge', 'core-1', 'Acknowledged by Kim')],
      ['resolved', action('Resolve', 'core-1', 'Neighbor of core-1 is back')],
      ['acknowledged late', action('Acknowledge', 'core-1', 'Acknowledged by Kim')],
    ],
    alerts: [
      {
        ...shown,
        title: 'Neighbor of core-1 went down',
        severity: 'warning',
        description: 'A neighbor does not respond.',
        service: 'core-1',
        status: 'resolved',
        eventCount: 3,
      },
      {
        ...shown,
        title: 'Neighbor of core-2 went down',
        severity: 'warning',
        description: 'A neighbor does not respond.',
        service: 'core-2',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'an alert with the id of its object and a number as its severity',
    shape: 'keephq/keep keep/providers/solarwinds_provider/alerts_mock.py',
    steps: [
      ['fired', named('7', 'app-1', 2, { ActionType: 'Create' })],
      ['another problem', named('8', 'app-2', 3, { ActionType: 'Create' })],
      ['reset', named('7', 'app-1', 2, { ActionType: 'Reset' })],
    ],
    alerts: [
      {
        ...shown,
        title: 'Node app-1 does not respond',
        severity: 'critical',
        description: 'No reply to ping for 300 s.',
        service: 'app-1',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...shown,
        title: 'Node app-2 does not respond',
        severity: 'error',
        description: 'No reply to ping for 300 s.',
        service: 'app-2',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
