import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const service = (shortname: string, check_result: string, check_output: string, more = {}): JsonValue => ({
  server_name: 'Web farm',
  server_address: 'farm.example.com',
  service_name: 'Memory',
  service_shortname: shortname,
  service_message: '',
  check_result,
  check_output,
  notification_time: '01.03.2026 08:00:00',
  ...more,
});

const shown = { title: 'Memory on Web farm', source: 'ServerGuard24', service: 'Memory', environment: null };

export default [
  {
    what: 'a service becomes worse and recovers',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/server_guard24/v3_test.rb',
    steps: [
      ['fired', service('web-1', 'WARNING', 'memory 82%')],
      ['worse', service('web-1', 'CRITICAL', 'memory 97%')],
      ['another problem', service('web-2', 'CRITICAL', 'memory 99%')],
      ['resolved', service('web-1', 'OK', 'memory 40%')],
    ],
    alerts: [
      {
        ...shown,
        severity: 'critical',
        description: 'memory 97%',
        status: 'resolved',
        eventCount: 3,
        resolution: 'memory 40%',
      },
      { ...shown, severity: 'critical', description: 'memory 99%', status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a service that sends only a message',
    shape:
      'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/server_guard24/v3.rb, a message of the service',
    steps: [
      ['fired', service('web-3', 'UNKNOWN', '', { service_message: 'The agent does not respond' })],
      ['resolved', service('web-3', 'OK', '', { service_message: 'The agent responds' })],
    ],
    alerts: [
      {
        ...shown,
        severity: 'warning',
        description: 'The agent does not respond',
        status: 'resolved',
        eventCount: 2,
        resolution: 'The agent responds',
      },
    ],
  },
] satisfies Story[];
