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
      title: {
        expression:
          'first(first(webhook.name, webhook.sensor) + " on " + webhook.device, webhook.name, webhook.sensor, webhook.message, webhook.status)',
      },
      // PRTG appends to the state, for example "Down (Acknowledged)", "Down ESCALATION" or "Down ended (now: Up)".
      severity: {
        expression:
          'first(extract(webhook.status, "now: (.+)[)]$"), extract(webhook.status, "^([A-Za-z]+(?: [(](?:Acknowledged|Partial)[)])?)"))',
        values: {
          ...UP_OR_DOWN,
          warning: 'warning',
          unusual: 'warning',
          paused: 'info',
          unknown: 'warning',
          'down (acknowledged)': 'error',
          'down (partial)': 'error',
        },
        default: 'error',
      },
      description: { template: '{{webhook.message|webhook.status}}' },
      source: { template: 'PRTG' },
      service: { template: '{{webhook.device|webhook.name|webhook.sensor}}' },
      // An acknowledged problem is neither worse nor over.
      status: {
        expression:
          'webhook.status.matches("(?i)^(up|paused)\\\\b|now: (up|paused)") ? "resolved" : webhook.status.matches("(?i)acknowledged[)]*$") ? "update" : "firing"',
      },
      // The sensor. It is not over when it ends as another problem, as in `Down ended (now: Warning)`. Nobody watches a
      // paused sensor.
      dedupKey: {
        // PRTG leaves a placeholder that it does not know, such as `%sensorid`.
        expression: 'string(webhook.sensorid).startsWith("%") ? "" : string(webhook.sensorid)',
      },
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
