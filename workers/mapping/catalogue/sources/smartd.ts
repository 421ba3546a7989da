import { keyOf } from '../keys.js';
import type { CatalogueSource } from '../source.js';

/** What each type of a warning says about a disk. */
const PROBLEMS = {
  Health: 'Disk is failing',
  Usage: 'Disk is worn out or fails in a vendor test',
  SelfTest: 'Self-test of disk failed',
  ErrorCount: 'Disk reports new errors',
  CurrentPendingSector: 'Disk has unreadable sectors',
  OfflineUncorrectableSector: 'Disk has uncorrectable sectors',
  Temperature: 'Disk is too hot',
  FailedHealthCheck: 'Health of disk cannot be read',
  FailedReadSmartData: 'SMART data of disk cannot be read',
  FailedReadSmartErrorLog: 'Error log of disk cannot be read',
  FailedReadSmartSelfTestLog: 'Self-test log of disk cannot be read',
  FailedOpenDevice: 'Disk cannot be opened',
  EmailTest: 'Test of smartd',
};

export default {
  name: 'smartd',
  title: 'smartd (smartmontools)',
  documentation:
    'https://github.com/smartmontools/smartmontools/blob/main/smartmontools/smartd.conf.5.in#L1400',
  sample: {
    host: 'nas-2',
    SMARTD_FAILTYPE: 'CurrentPendingSector',
    SMARTD_DEVICE: '/dev/sdc',
    SMARTD_DEVICESTRING: '/dev/sdc',
    SMARTD_DEVICEINFO: 'EXAMPLE 4000, S/N:X1Y2Z3, WWN:5-000c50-000000001, FW:A1, 4.00 TB',
    SMARTD_MESSAGE: 'Device: /dev/sdc, 8 Currently unreadable (pending) sectors',
    SMARTD_PREVCNT: '0',
  },
  // smartd itself reports no end: a person does, after the disk was replaced.
  recovery: { status: 'resolved' },
  mapping: {
    fields: {
      title: {
        expression: `first(${JSON.stringify(PROBLEMS)}[webhook.SMARTD_FAILTYPE], webhook.SMARTD_FAILTYPE, "Disk problem") + first(": " + first(webhook.SMARTD_DEVICESTRING, webhook.SMARTD_DEVICE), "") + first(" of " + webhook.host, "")`,
        default: 'Disk problem',
      },
      severity: {
        template: '{{webhook.SMARTD_FAILTYPE}}',
        values: {
          ...Object.fromEntries(Object.keys(PROBLEMS).map((type) => [type, 'error'])),
          ...{ Health: 'critical', FailedOpenDevice: 'critical' },
          ...{ ErrorCount: 'warning', Temperature: 'warning', EmailTest: 'info' },
        },
        default: 'error',
      },
      description: { template: '{{webhook.SMARTD_MESSAGE|webhook.SMARTD_FULLMESSAGE}}' },
      source: { template: 'smartd' },
      service: { template: '{{webhook.host}}' },
      status: {
        expression: 'first(webhook.status, webhook.SMARTD_FAILTYPE == "EmailTest" ? "test" : "firing")',
      },
      // The serial number stays with a disk, its device may change with a restart.
      dedupKey: {
        expression: keyOf(
          'webhook.host',
          'first(extract(webhook.SMARTD_DEVICEINFO, "S/N:([^, ]+)"), webhook.SMARTD_DEVICESTRING, webhook.SMARTD_DEVICE)',
          'webhook.SMARTD_FAILTYPE',
        ),
      },
    },
    custom: {
      device: { template: '{{webhook.SMARTD_DEVICE}}' },
      disk: { template: '{{webhook.SMARTD_DEVICEINFO}}' },
    },
  },
  expected: [
    {
      title: 'Disk has unreadable sectors: /dev/sdc of nas-2',
      severity: 'error',
      description: 'Device: /dev/sdc, 8 Currently unreadable (pending) sectors',
      source: 'smartd',
      service: 'nas-2',
      status: 'firing',
      dedupKey: 'nas-2/X1Y2Z3/CurrentPendingSector',
    },
  ],
} satisfies CatalogueSource;
