import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const alert = (
  id: string,
  resolutionState: JsonValue,
  severity: JsonValue,
  alertDescription = 'Port 4 reports errors.',
): JsonValue => ({
  owner: 'np',
  lastModified: '3/1/2026 8:00:00 AM',
  resolutionState,
  timeRaised: '3/1/2026 8:00:00 AM',
  category: 'Custom',
  alertId: `{00000000-1111-4222-8333-${id}}`,
  alertName: 'Switch port fails',
  priority: '1',
  severity,
  createdByMonitor: 'false',
  repeatCount: '0',
  alertDescription,
  managedEntitySource: 'SW-4.example.com',
});

const shown = {
  title: 'Switch port fails',
  source: 'Microsoft SCOM',
  service: 'SW-4.example.com',
  environment: null,
};

export default [
  {
    what: 'an alert is acknowledged and closed, and old news arrives late',
    shape: 'PagerTree/pager_tree-integrations app/models/pager_tree/integrations/scom/pagertree.ps1',
    steps: [
      ['fired', alert('aaaaaaaaaaaa', 'New', '2')],
      ['another problem', alert('bbbbbbbbbbbb', 'New', '1', 'np')],
      ['acknowledged', alert('aaaaaaaaaaaa', 'Acknowledged', '2')],
      ['resolved', alert('aaaaaaaaaaaa', 'Closed', '2')],
      ['late', alert('aaaaaaaaaaaa', 'New', '2')],
    ],
    alerts: [
      {
        ...shown,
        severity: 'critical',
        description: 'Port 4 reports errors.',
        status: 'resolved',
        eventCount: 3,
      },
      { ...shown, severity: 'warning', description: 'Switch port fails', status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'states and severities as numbers and names',
    shape:
      'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/scom/v3_test.rb, with the numbers of SCOM',
    steps: [
      ['fired', alert('cccccccccccc', 0, 'Error')],
      ['assigned', alert('cccccccccccc', 248, 'Error')],
      ['resolved', alert('cccccccccccc', 255, 'Error')],
    ],
    alerts: [
      {
        ...shown,
        severity: 'error',
        description: 'Port 4 reports errors.',
        status: 'resolved',
        eventCount: 3,
      },
    ],
  },
] satisfies Story[];
