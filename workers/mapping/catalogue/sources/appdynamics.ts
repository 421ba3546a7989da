import { inState, SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

const RESOLVED = Object.fromEntries(Object.keys(SEVERITIES).map((word) => [word, 'info']));

export default {
  name: 'appdynamics',
  title: 'AppDynamics (HTTP request template)',
  documentation:
    'https://docs.appdynamics.com/appd/24.x/latest/en/appdynamics-essentials/alert-and-respond/actions/http-request-actions-and-templates',
  sample: {
    incident_key: 'node-3 - Checkout',
    event_type: 'trigger',
    description: 'Slow calls on node-3',
    client: 'AppDynamics',
    client_url: 'https://controller.example.com',
    details: {
      event_name: 'Slow calls',
      summary: 'Calls take longer than 4 s',
      event_id: '71',
      event_type: 'POLICY_OPEN_WARNING',
      application_name: 'Checkout',
      node_name: 'node-3',
      message: 'Average of the last 5 minutes: 4.2 s',
      severity: 'WARN',
    },
    contexts: [{ type: 'link', href: 'https://controller.example.com/event/71', text: 'Look at it' }],
  },
  recovery: { event_type: 'resolve', details: { event_id: '72', event_type: 'POLICY_CLOSE_WARNING' } },
  mapping: {
    fields: {
      title: {
        // `New Warning Health Rule Violation on node-3`: the level changes in the life of a violation.
        expression:
          'first(webhook.name, extract(webhook.description, "^(?:New (?:Warning|Critical) )?(.+)$").replace("Violation Ended", "Violation"), webhook.details.event_name, webhook.details.summary, webhook.description, webhook.details.message)',
      },
      // A "resolve" repeats the severity of the problem that ended.
      severity: {
        template:
          '{{#webhook.event_type}}{{.}}/{{/webhook.event_type}}{{webhook.details.severity|webhook.severity}}',
        values: { ...SEVERITIES, ...inState('trigger', SEVERITIES), ...inState('resolve', RESOLVED) },
        default: 'error',
      },
      description: {
        template: '{{webhook.details.summary|webhook.details.message|webhook.description|webhook.message}}',
      },
      source: { template: 'AppDynamics' },
      service: { template: '{{webhook.details.application_name}}' },
      // A template that sends `trigger` for all events still has the type of the event.
      status: {
        expression:
          'first(webhook.details.event_type, "").matches("^(POLICY|ANOMALY)_(CLOSE|CANCELED)") ? "resolved" : webhook.event_type',
      },
      // The HTTP request template decides what an incident is. The id of the event differs between a problem and its
      // end.
      dedupKey: { template: '{{webhook.incident_key}}' },
    },
    custom: {
      node: { template: '{{webhook.details.node_name}}' },
      link: { template: '{{webhook.client_url|webhook.url}}' },
    },
  },
  expected: [
    {
      title: 'Slow calls on node-3',
      severity: 'warning',
      description: 'Calls take longer than 4 s',
      source: 'AppDynamics',
      service: 'Checkout',
      status: 'firing',
      dedupKey: 'node-3 - Checkout',
    },
  ],
} satisfies CatalogueSource;
