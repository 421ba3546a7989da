import { UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'prtg',
  title: 'PRTG',
  documentation: 'https://www.paessler.com/manuals/prtg/notifications_based_on_templates',
  sample: {
    sensorid: '4022',
    status: 'Warning',
    name: 'Free disk of nas-1',
    down: '',
    message: '11 % (Free Space) is below the warning limit of 15 %',
  },
  recovery: { status: 'Warning ended (now: Up)', message: '22 % (Free Space)' },
  mapping: {
    fields: {
      title: { template: '{{webhook.name|webhook.message|webhook.status}}' },
      // PRTG appends to the state, for example "Down (Acknowledged)" or "Down ended (now: Up)".
      severity: {
        template: '{{webhook.status}}',
        values: {
          ...UP_OR_DOWN,
          warning: 'warning',
          unusual: 'warning',
          paused: 'info',
          unknown: 'warning',
          'down (acknowledged)': 'error',
          'down (partial)': 'error',
          'down ended (now: up)': 'info',
          'warning ended (now: up)': 'info',
        },
        default: 'error',
      },
      description: { template: '{{webhook.message|webhook.status}}' },
      source: { template: 'PRTG' },
      service: { template: '{{webhook.device|webhook.name}}' },
      status: {
        expression:
          'webhook.status.matches("(?i)^(up|paused)\\\\b|now: (up|paused)") ? "resolved" : "firing"',
      },
      // The sensor. It is not over when it ends as another problem, as in `Down ended (now: Warning)`. Nobody watches a
      // paused sensor.
      dedupKey: { template: '{{webhook.sensorid}}' },
    },
    custom: { sensor: { template: '{{webhook.sensorid}}' } },
  },
  expected: [
    {
      title: 'Free disk of nas-1',
      severity: 'warning',
      description: '11 % (Free Space) is below the warning limit of 15 %',
      source: 'PRTG',
      service: 'Free disk of nas-1',
      status: 'firing',
      dedupKey: '4022',
    },
  ],
} satisfies CatalogueSource;
