import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const template = (sensorid: string, name: string, status: string, message: string): JsonValue => ({
  sensorid,
  status,
  name,
  down: '',
  message,
});

const full = (sensorid: string, device: string, status: string, message: string): JsonValue => ({
  sensorid,
  deviceid: `1${sensorid}`,
  device,
  sensor: 'Ping',
  status,
  message,
  priority: '*****',
  group: 'Branch',
});

const shown = { source: 'PRTG', environment: null };

export default [
  {
    what: 'a sensor gets worse, is acknowledged and ends as another problem before it is up',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/prtg/v3_test.rb',
    steps: [
      ['fired', template('31', 'Disk of nas-2', 'Warning', '9% free')],
      ['worse', template('31', 'Disk of nas-2', 'Down', '1% free')],
      ['another problem', template('32', 'Disk of nas-3', 'Down', '0% free')],
      ['acknowledged', template('31', 'Disk of nas-2', 'Down (Acknowledged)', 'Kim orders a disk')],
      ['better', template('31', 'Disk of nas-2', 'Down ended (now: Warning)', '8% free')],
      ['escalation of the other', template('32', 'Disk of nas-3', 'Down ESCALATION', '0% free')],
      ['resolved', template('31', 'Disk of nas-2', 'Warning ended (now: Up)', '40% free')],
      ['acknowledged late', template('31', 'Disk of nas-2', 'Down (Acknowledged)', 'Kim orders a disk')],
    ],
    alerts: [
      {
        ...shown,
        title: 'Disk of nas-2',
        severity: 'warning',
        description: '8% free',
        service: 'Disk of nas-2',
        status: 'resolved',
        eventCount: 5,
        resolution: '40% free',
      },
      {
        ...shown,
        title: 'Disk of nas-3',
        severity: 'critical',
        description: '0% free',
        service: 'Disk of nas-3',
        status: 'firing',
        eventCount: 2,
      },
    ],
  },
  {
    what: 'a payload with the device of the sensor, which is paused in the end',
    shape: 'Kaholo/kaholo-trigger-prtg README.md',
    steps: [
      ['fired', full('41', 'fw-1', 'Down', 'Request timed out')],
      ['another problem', full('42', 'fw-2', 'Down', 'Request timed out')],
      ['paused', full('41', 'fw-1', 'Paused', 'Paused by Kim')],
    ],
    alerts: [
      {
        ...shown,
        title: 'Ping on fw-1',
        severity: 'critical',
        description: 'Request timed out',
        service: 'fw-1',
        status: 'resolved',
        eventCount: 2,
        resolution: 'Paused by Kim',
      },
      {
        ...shown,
        title: 'Ping on fw-2',
        severity: 'critical',
        description: 'Request timed out',
        service: 'fw-2',
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
