import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const alert = (alertid: string, alertstatus: string, more: Record<string, JsonValue> = {}): JsonValue => ({
  alertid,
  alertstatus,
  alerttype: 'alert',
  datasource: 'Ping',
  datapoint: 'PingLossPercent',
  date: '2026-03-01 08:00:00 GMT',
  group: 'network',
  host: 'router-1',
  instance: 'router-1',
  level: 'error',
  threshold: '50',
  value: '80',
  ...more,
});

/** A body in another spelling, with the time at which the alert began. */
const other = (id: string, status: string, start: string): JsonValue => ({
  alert_type: 'alert',
  alert_status: status,
  error_level: 'critical',
  startepoch: start,
  alert_id: id,
  message: 'CPU of db-1 is busy',
  host: 'db-1',
  datasource: 'CPU',
  datapoint: 'Busy',
  instance: 'cpu-0',
  value: '99',
  threshold: '95',
});

export default [
  {
    what: 'an alert is acknowledged and cleared, and the test of an integration never fires',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/logic_monitor/v3_test.rb',
    steps: [
      ['fired', alert('LMD1', 'active')],
      ['escalated', alert('LMD1', 'escalate', { level: 'critical', value: '100' })],
      ['acknowledged', alert('LMD1', 'ack', { level: 'critical', value: '100' })],
      ['another problem', alert('LMD2', 'active', { instance: 'router-1-b' })],
      ['resolved', alert('LMD1', 'clear', { level: 'clear', value: '0' })],
      ['acknowledged late', alert('LMD1', 'ack')],
      ['a test', alert('LMD0', 'test', { level: 'warning', host: 'example' })],
    ],
    alerts: [
      {
        title: 'Ping: PingLossPercent on router-1',
        severity: 'critical',
        description: 'PingLossPercent of router-1 is 100 (threshold 50)',
        source: 'LogicMonitor',
        service: 'router-1',
        environment: null,
        team: 'network',
        status: 'resolved',
        eventCount: 4,
        resolution: 'PingLossPercent of router-1 is 0 (threshold 50)',
      },
      {
        title: 'Ping: PingLossPercent on router-1',
        severity: 'error',
        description: 'PingLossPercent of router-1-b is 80 (threshold 50)',
        source: 'LogicMonitor',
        service: 'router-1',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'Ping: PingLossPercent on example',
        severity: 'warning',
        description: 'PingLossPercent of router-1 is 80 (threshold 50)',
        source: 'LogicMonitor',
        service: 'example',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'another spelling, of which an alert is reported late and begins again',
    shape: 'ericbigpanda/docs.bigpanda.io _integrations/logicmonitor.md',
    steps: [
      ['fired', other('LMD7', 'active', '1772352000')],
      ['resolved', other('LMD7', 'clear', '1772352000')],
      ['reported late', other('LMD7', 'active', '1772352000')],
      ['fired again', other('LMD7', 'active', '1772359000')],
    ],
    alerts: (['resolved', 'firing'] as const).map((status) => ({
      title: 'CPU: Busy on db-1',
      severity: 'critical',
      description: 'Busy of cpu-0 is 99 (threshold 95)',
      source: 'LogicMonitor',
      service: 'db-1',
      environment: null,
      status,
      eventCount: status === 'resolved' ? 2 : 1,
    })),
  },
] satisfies Story[];
