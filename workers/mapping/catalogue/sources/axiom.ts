import type { CatalogueSource } from '../source.js';

export default {
  name: 'axiom',
  title: 'Axiom monitor',
  documentation: 'https://axiom.co/docs/monitor-data/custom-webhook-notifier',
  sample: {
    action: 'Open',
    event: {
      monitorID: 'mExample',
      body: 'The rate of 5xx is 7%',
      description: 'More than 5% of responses are errors',
      queryEndTime: '2026-02-03 10:20:00 +0000 UTC',
      queryStartTime: '2026-02-03 10:15:00 +0000 UTC',
      timestamp: '2026-02-03 10:20:00 +0000 UTC',
      title: 'Triggered: API errors',
      value: 7,
      matchedEvent: {},
    },
  },
  recovery: {
    action: 'Closed',
    event: { title: 'Resolved: API errors', timestamp: '2026-02-03 10:40:00 +0000 UTC', value: 1 },
  },
  mapping: {
    fields: {
      // The title begins with the state.
      title: {
        expression:
          'first(extract(webhook.event.title, "^(?:Triggered|Resolved): (.+)$"), webhook.event.title, webhook.event.description, webhook.event.body)',
      },
      severity: {
        template: '{{webhook.action}}',
        values: { open: 'error', closed: 'info' },
        default: 'error',
      },
      description: {
        template: '{{webhook.event.description|webhook.event.body|webhook.event.title}}',
      },
      source: { template: 'Axiom' },
      service: { template: '{{webhook.event.matchedEvent.service}}' },
      status: { template: '{{webhook.action}}' },
      // `2026-02-03 10:20:00 +0000 UTC`
      occurrence: {
        expression: 'webhook.event.timestamp.replace(" +0000 UTC", "Z").replace(" ", "T")',
      },
      // The monitor. A match monitor reports single events, which do not end: only a threshold monitor sends `Closed`.
      dedupKey: {
        expression: 'size(first(webhook.event.matchedEvent, {})) > 0 ? "" : webhook.event.monitorID',
      },
    },
    custom: {
      monitor: { template: '{{webhook.event.monitorID}}' },
      value: { template: '{{webhook.event.value}}' },
    },
  },
  expected: [
    {
      title: 'API errors',
      severity: 'error',
      description: 'More than 5% of responses are errors',
      source: 'Axiom',
      status: 'firing',
      dedupKey: 'mExample',
      occurrence: '2026-02-03T10:20:00Z',
    },
  ],
} satisfies CatalogueSource;
