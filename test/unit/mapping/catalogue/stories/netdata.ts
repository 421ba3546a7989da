import type { Story } from '../story.js';

const alarm = (name: string, chart: string, status: string, value: string, when: string) => ({
  host: 'cache-1',
  unique_id: `9${when}`,
  alarm_id: '41',
  event_id: '3',
  when,
  name,
  chart,
  family: 'ram',
  status,
  old_status: 'CLEAR',
  value_string: value,
  units: '%',
  info: `info about ${name}`,
  roles: 'sysadmin',
});

const shown = (
  title: string,
  severity: string,
  description: string,
  service: string,
  status: string,
  eventCount: number,
) => ({
  ...{ title, severity, description, source: 'Netdata', service },
  ...{ environment: null, team: 'sysadmin', status, eventCount },
});

export default [
  {
    what: 'an alarm gets worse and clears, and its first event arrives late',
    shape: 'netdata/netdata health/notifications/health_alarm_notify.conf',
    steps: [
      ['fired', alarm('ram_in_use', 'system.ram', 'WARNING', '91%', '1770113000')],
      ['worse', alarm('ram_in_use', 'system.ram', 'CRITICAL', '99%', '1770113060')],
      ['another problem', alarm('ram_in_use', 'cgroup.ram', 'WARNING', '92%', '1770113070')],
      ['resolved', alarm('ram_in_use', 'system.ram', 'CLEAR', '40%', '1770113600')],
      ['late', alarm('ram_in_use', 'system.ram', 'WARNING', '91%', '1770113000')],
    ],
    alerts: [
      {
        ...shown(
          'ram in use of system.ram on cache-1',
          'critical',
          'info about ram_in_use: 99%',
          'system.ram',
          'resolved',
          3,
        ),
        resolution: 'info about ram_in_use: 40%',
      },
      shown(
        'ram in use of cgroup.ram on cache-1',
        'warning',
        'info about ram_in_use: 92%',
        'cgroup.ram',
        'firing',
        1,
      ),
    ],
  },
  {
    what: 'an alarm is removed',
    shape: 'netdata/netdata health/notifications/alarm-notify.sh.in',
    steps: [
      ['fired', alarm('unused', 'disk.sdb', 'WARNING', '1', '1770113000')],
      ['removed', alarm('unused', 'disk.sdb', 'REMOVED', '1', '1770113100')],
    ],
    alerts: [
      {
        ...shown(
          'unused of disk.sdb on cache-1',
          'warning',
          'info about unused: 1',
          'disk.sdb',
          'resolved',
          2,
        ),
      },
    ],
  },
] satisfies Story[];
