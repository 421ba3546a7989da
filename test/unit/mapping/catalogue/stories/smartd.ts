import type { Story } from '../story.js';

const warning = (type: string, device: string, serial: string, message: string, more: object = {}) => ({
  host: 'nas-1',
  SMARTD_FAILTYPE: type,
  SMARTD_DEVICE: device,
  SMARTD_DEVICETYPE: 'sat',
  SMARTD_DEVICESTRING: device,
  SMARTD_DEVICEINFO: `EXAMPLE 8000, S/N:${serial}, FW:B2, 8.00 TB`,
  SMARTD_MESSAGE: message,
  SMARTD_PREVCNT: '0',
  ...more,
});

const shown = (
  title: string,
  severity: string,
  description: string,
  status: string | null,
  eventCount: number,
) => ({
  ...{ title, severity, description, source: 'smartd', service: 'nas-1', environment: null },
  ...{ status, eventCount },
});

export default [
  {
    what: 'a disk fails, the warning is repeated after the disk got another name, and the disk is replaced',
    shape: 'smartmontools/smartmontools smartmontools/smartd_warning.sh.in',
    steps: [
      ['fired', warning('Health', '/dev/sda', 'A1', 'FAILED SMART self-check. BACK UP DATA NOW!')],
      ['another problem', warning('Temperature', '/dev/sdb', 'B1', 'Temperature 61 Celsius')],
      ['repeated', warning('Health', '/dev/sdd', 'A1', 'FAILED SMART self-check. BACK UP DATA NOW!')],
      [
        'resolved by a person',
        { ...warning('Health', '/dev/sda', 'A1', 'The disk was replaced.'), status: 'resolved' },
      ],
    ],
    alerts: [
      {
        ...shown(
          'Disk is failing: /dev/sdd of nas-1',
          'critical',
          'FAILED SMART self-check. BACK UP DATA NOW!',
          'resolved',
          3,
        ),
        resolution: 'The disk was replaced.',
      },
      shown('Disk is too hot: /dev/sdb of nas-1', 'warning', 'Temperature 61 Celsius', 'firing', 1),
    ],
  },
  {
    what: '-M test, and a disk behind a RAID controller',
    shape: 'https://github.com/smartmontools/smartmontools/blob/main/smartmontools/smartd.conf.5.in',
    steps: [
      ['test', warning('EmailTest', '/dev/sda', 'A1', 'TEST EMAIL from smartd for device: /dev/sda')],
      [
        'fired',
        warning('SelfTest', '/dev/bus/0', 'C1', 'Self-Test Log error count increased from 0 to 1', {
          SMARTD_DEVICESTRING: '/dev/bus/0 [megaraid_disk_03]',
        }),
      ],
    ],
    alerts: [
      shown(
        'Test of smartd: /dev/sda of nas-1',
        'info',
        'TEST EMAIL from smartd for device: /dev/sda',
        null,
        1,
      ),
      shown(
        'Self-test of disk failed: /dev/bus/0 [megaraid_disk_03] of nas-1',
        'error',
        'Self-Test Log error count increased from 0 to 1',
        'firing',
        1,
      ),
    ],
  },
] satisfies Story[];
