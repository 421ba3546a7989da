import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const uptime = (
  id: string,
  status: string,
  timestamp: number,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  monitor_id: id,
  monitor_name: `Shop ${id}`,
  monitor_target: `https://${id}.example.com/`,
  monitor_type: 'website',
  monitor_category: 'Shop',
  monitor_status: status,
  timestamp,
  ...more,
});

const used = (type: string, current: string): JsonValue => ({
  monitor_id: 'm-9',
  monitor_name: 'web-9',
  timestamp: 1772352000,
  resource_usage: {
    resource_type: type,
    current_usage: current,
    average_usage: '90.10',
    average_minutes: '5',
  },
});

const ERRORS = { monitor_errors: { Amsterdam: 'http code 503', Dallas: 'timeout' } };

export default [
  {
    what: 'a website is offline and online again, is reported late, and is offline once more',
    shape:
      'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/hetrix_tools/v3_test.rb: uptime_request',
    steps: [
      ['fired', uptime('eu', 'offline', 1000, ERRORS)],
      ['another problem', uptime('us', 'offline', 1010)],
      ['resolved', uptime('eu', 'online', 1600)],
      ['reported late', uptime('eu', 'offline', 1000, ERRORS)],
      ['fired again', uptime('eu', 'offline', 9000, { monitor_errors: { Tokyo: 'timeout' } })],
    ],
    alerts: [
      {
        title: 'Shop eu',
        severity: 'critical',
        description: 'https://eu.example.com/: Amsterdam: http code 503, Dallas: timeout',
        source: 'HetrixTools',
        service: 'Shop eu',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'https://eu.example.com/ is online',
      },
      {
        title: 'Shop us',
        severity: 'critical',
        description: 'https://us.example.com/ is offline',
        source: 'HetrixTools',
        service: 'Shop us',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'Shop eu',
        severity: 'critical',
        description: 'https://eu.example.com/: Tokyo: timeout',
        source: 'HetrixTools',
        service: 'Shop eu',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'two resources of a server',
    shape: 'https://docs.hetrixtools.com/webhooks-resource-usage/',
    steps: [
      ['fired', used('cpu', '97.00')],
      ['another problem', used('disk', '92.00')],
    ],
    alerts: [
      ['cpu', '97.00'],
      ['disk', '92.00'],
    ].map(([type, current]) => ({
      title: `${type} usage of web-9`,
      severity: 'warning',
      description: `${type} is at ${current}%, 90.10% over 5 minutes`,
      source: 'HetrixTools',
      service: 'web-9',
      environment: null,
      status: null,
      eventCount: 1,
    })),
  },
] satisfies Story[];
