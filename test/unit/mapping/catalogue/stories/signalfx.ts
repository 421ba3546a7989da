import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const incident = (incidentId: string, statusExtended: string, title: string, more = {}): JsonValue => ({
  severity: 'Minor',
  status: statusExtended === 'anomalous' ? 'anomalous' : 'ok',
  statusExtended,
  detectorUrl: 'https://app.signalfx.com/#/detector/EXAMPLE',
  incidentId,
  originatingMetric: 'disk.utilization',
  description: 'The value of disk.utilization is above 90.',
  messageBody: 'Rule "Disk" in detector "Storage" triggered.',
  messageTitle: title,
  ...more,
});

const shown = {
  severity: 'warning',
  description: 'The value of disk.utilization is above 90.',
  source: 'Splunk Observability',
  environment: null,
};

export default [
  {
    what: 'an incident fires, repeats and ends, and old news arrives late',
    shape:
      'https://help.splunk.com/en/splunk-observability-cloud/manage-notifications/notification-services/webhooks',
    steps: [
      [
        'fired',
        incident('91', 'anomalous', 'Minor Alert: Disk (Storage)', { rule: 'Disk', detector: 'Storage' }),
      ],
      [
        'another problem',
        incident('92', 'anomalous', 'Minor Alert: Disk (Storage)', { rule: 'Disk', detector: 'Storage' }),
      ],
      [
        'resolved',
        incident('91', 'ok', 'Back to normal: Disk (Storage)', { rule: 'Disk', detector: 'Storage' }),
      ],
      [
        'late',
        incident('91', 'anomalous', 'Minor Alert: Disk (Storage)', { rule: 'Disk', detector: 'Storage' }),
      ],
    ],
    alerts: [
      {
        ...shown,
        title: 'Disk (Storage)',
        service: 'Storage',
        status: 'resolved',
        eventCount: 2,
      },
      { ...shown, title: 'Disk (Storage)', service: 'Storage', status: 'firing', eventCount: 1 },
    ],
  },
  {
    what: 'a payload without rule and detector, which somebody resolves',
    shape: 'keephq/keep keep/providers/signalfx_provider/alerts_mock.py',
    steps: [
      ['fired', incident('93', 'anomalous', 'Critical Alert: logs (logs)')],
      ['resolved', incident('93', 'manually resolved', 'Manually resolved: logs (logs)')],
    ],
    alerts: [
      {
        ...shown,
        title: 'logs (logs)',
        service: 'disk.utilization',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
