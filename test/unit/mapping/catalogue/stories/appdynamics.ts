import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const violation = (
  node: string,
  event_type: string,
  type: string,
  name: string,
  severity: string,
): JsonValue => ({
  incident_key: `${node} - Shop`,
  event_type,
  description: `${name} on ${node}`,
  client: 'AppDynamics',
  client_url: 'https://controller.example.com',
  details: {
    event_name: name,
    summary: 'Calls of checkout take longer than 3 s',
    event_id: '900',
    event_type: type,
    application_name: 'Shop',
    node_name: node,
    severity,
  },
});

const plain = (id: string, name: string): JsonValue => ({
  id,
  name,
  severity: 'ERROR',
  lastReceived: 'Sun Mar 01 08:00:00 UTC 2026',
  message: 'More than 5% of the calls failed',
  description: 'Calls of search fail',
  event_id: `guid-${id}`,
  url: 'https://controller.example.com/#event=1',
});

export default [
  {
    what: 'a violation gets worse, goes on and ends, of a template that always sends a trigger',
    shape: 'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/app_dynamics/v3.rb',
    steps: [
      [
        'warning',
        violation('node-1', 'trigger', 'POLICY_OPEN_WARNING', 'New Warning Health Rule Violation', 'WARN'),
      ],
      [
        'another node',
        violation('node-2', 'trigger', 'POLICY_OPEN_CRITICAL', 'New Critical Health Rule Violation', 'ERROR'),
      ],
      [
        'critical',
        violation('node-1', 'trigger', 'POLICY_OPEN_CRITICAL', 'New Critical Health Rule Violation', 'ERROR'),
      ],
      [
        'closed',
        violation('node-1', 'trigger', 'POLICY_CLOSE_CRITICAL', 'Health Rule Violation Ended', 'INFO'),
      ],
    ],
    alerts: [
      {
        title: 'Health Rule Violation on node-1',
        severity: 'error',
        description: 'Calls of checkout take longer than 3 s',
        source: 'AppDynamics',
        service: 'Shop',
        environment: null,
        status: 'resolved',
        eventCount: 3,
      },
      {
        title: 'Health Rule Violation on node-2',
        severity: 'error',
        description: 'Calls of checkout take longer than 3 s',
        source: 'AppDynamics',
        service: 'Shop',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a template with a trigger and a resolution',
    shape: 'https://docs.appdynamics.com, HTTP Request Actions and Templates',
    steps: [
      ['trigger', violation('node-3', 'trigger', 'SLOW', 'Slow calls', 'WARN')],
      ['resolve', violation('node-3', 'resolve', 'NORMAL', 'Slow calls', 'INFO')],
    ],
    alerts: [
      {
        title: 'Slow calls on node-3',
        severity: 'warning',
        description: 'Calls of checkout take longer than 3 s',
        source: 'AppDynamics',
        service: 'Shop',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'a template without a key: each event stands alone',
    shape: 'keephq/keep keep/providers/appdynamics_provider/httpactiontemplate.json',
    steps: [['event', plain('1', 'Search errors')]],
    alerts: [
      {
        title: 'Search errors',
        severity: 'error',
        description: 'Calls of search fail',
        source: 'AppDynamics',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
