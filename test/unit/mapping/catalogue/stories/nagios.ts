import type { Story } from '../story.js';

const service = (SERVICEDESC: string, type: string, state: string, output: string, changed: string) => ({
  NOTIFICATIONTYPE: type,
  HOSTNAME: 'app-1',
  HOSTALIAS: 'Application 1',
  HOSTADDRESS: '192.0.2.20',
  SERVICEDESC,
  SERVICESTATE: state,
  SERVICEOUTPUT: output,
  LONGDATETIME: 'Tue Feb 3 10:14:00 UTC 2026',
  LASTSERVICESTATECHANGE: changed,
});

const host = (type: string, state: string, output: string, changed: string) => ({
  NOTIFICATIONTYPE: type,
  HOSTNAME: 'app-1',
  HOSTSTATE: state,
  HOSTOUTPUT: output,
  LASTHOSTSTATECHANGE: changed,
  CONTACTGROUPNAME: 'admins',
});

const disk = {
  title: 'Disk on app-1',
  severity: 'info',
  description: 'DISK OK - 60% free',
  source: 'Nagios',
  service: 'Disk',
  environment: null,
};

export default [
  {
    what: 'a service gets worse, is acknowledged and recovers, and an old notification arrives late',
    shape: 'Icinga/icinga2 etc/icinga2/scripts/mail-service-notification.sh',
    steps: [
      ['fired', service('Disk', 'PROBLEM', 'WARNING', 'DISK WARNING - 9% free', '1770113000')],
      ['another problem', service('Load', 'PROBLEM', 'UNKNOWN', 'no reply', '1770113050')],
      ['worse', service('Disk', 'PROBLEM', 'CRITICAL', 'DISK CRITICAL - 1% free', '1770113100')],
      [
        'acknowledged',
        service('Disk', 'ACKNOWLEDGEMENT', 'CRITICAL', 'DISK CRITICAL - 1% free', '1770113100'),
      ],
      ['resolved', service('Disk', 'RECOVERY', 'OK', 'DISK OK - 60% free', '1770113900')],
      ['late', service('Disk', 'PROBLEM', 'CRITICAL', 'DISK CRITICAL - 1% free', '1770113100')],
      ['a downtime of a healthy service', service('Disk', 'DOWNTIMESTART', 'OK', 'DISK OK', '1770113900')],
    ],
    alerts: [
      {
        ...disk,
        status: 'resolved',
        eventCount: 4,
        severity: 'critical',
        description: 'DISK CRITICAL - 1% free',
        resolution: 'DISK OK - 60% free',
      },
      {
        title: 'Load on app-1',
        severity: 'warning',
        description: 'no reply',
        source: 'Nagios',
        service: 'Load',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a host is down, is reported again and returns',
    shape: 'PagerDuty/pagerduty-nagios-pl pagerduty_nagios.cfg',
    steps: [
      ['fired', host('PROBLEM', 'DOWN', 'PING CRITICAL - 100% loss', '1770113000')],
      ['repeated', host('PROBLEM', 'DOWN', 'PING CRITICAL - 100% loss', '1770113000')],
      ['resolved', host('RECOVERY', 'UP', 'PING OK', '1770113600')],
    ],
    alerts: [
      {
        title: 'Host app-1',
        severity: 'critical',
        description: 'PING CRITICAL - 100% loss',
        source: 'Nagios',
        service: 'app-1',
        environment: null,
        team: 'admins',
        status: 'resolved',
        eventCount: 3,
        resolution: 'PING OK',
      },
    ],
  },
] satisfies Story[];
