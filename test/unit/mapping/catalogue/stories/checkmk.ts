import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const service = (
  name: string,
  severity: string,
  notification_type: string,
  more: Record<string, JsonValue> = {},
): JsonValue => ({
  id: '12',
  summary: `CheckMK db-1/${name} - OK -> ${severity}`,
  host: 'db-1',
  alias: 'db-1',
  address: '192.0.2.7',
  event: `OK -> ${severity}`,
  output: `${name} is ${severity}`,
  long_output: '',
  status: 'UP',
  severity,
  url: '/check_mk/index.py?start_url=view.py',
  site: 'north',
  what: 'SERVICE',
  notification_type,
  service: name,
  ...more,
});

const host = (status: string, notification_type: string, micro_time: string): JsonValue => ({
  id: '13',
  summary: `CheckMK db-1 - ${status}`,
  host: 'db-1',
  event: `UP -> ${status}`,
  output: 'Packet loss of 100%',
  status,
  severity: 'OK',
  site: 'north',
  what: 'HOST',
  notification_type,
  service: '',
  micro_time,
});

export default [
  {
    what: 'a service is acknowledged, gets worse and recovers, while another one stays open',
    shape: 'keephq/keep keep/providers/checkmk_provider/webhook-keep.py',
    steps: [
      ['warning', service('Memory', 'WARN', 'PROBLEM')],
      ['another service', service('Filesystem /srv', 'CRIT', 'PROBLEM')],
      ['acknowledged', service('Memory', 'WARN', 'ACKNOWLEDGEMENT', { output: 'I am on it' })],
      ['worse', service('Memory', 'CRIT', 'PROBLEM')],
      ['recovered', service('Memory', 'OK', 'RECOVERY')],
      ['a downtime of a service without a problem', service('CPU load', 'WARN', 'DOWNTIMESTART')],
    ],
    alerts: [
      {
        title: 'Memory on db-1',
        severity: 'critical',
        description: 'Memory is CRIT',
        source: 'Checkmk',
        service: 'Memory',
        environment: 'north',
        status: 'resolved',
        eventCount: 4,
        resolution: 'Memory is OK',
      },
      {
        title: 'Filesystem /srv on db-1',
        severity: 'critical',
        description: 'Filesystem /srv is CRIT',
        source: 'Checkmk',
        service: 'Filesystem /srv',
        environment: 'north',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a host is down, recovers, and is reported late',
    shape: 'keephq/keep issue 3109',
    steps: [
      ['down', host('DOWN', 'PROBLEM', '1772352000000000')],
      ['up', host('UP', 'RECOVERY', '1772352600000000')],
      ['down, late', host('DOWN', 'PROBLEM', '1772352000000000')],
    ],
    alerts: [
      {
        title: 'Host db-1',
        severity: 'critical',
        description: 'Packet loss of 100%',
        source: 'Checkmk',
        service: 'db-1',
        environment: 'north',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
