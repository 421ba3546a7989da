import { keyOf, part } from '../keys.js';
import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

export default {
  name: 'solarwinds',
  title: 'SolarWinds',
  documentation:
    'https://documentation.solarwinds.com/en/success_center/orionplatform/content/core-alerts-sending-webhooks.htm',
  sample: {
    ActionType: 'Create',
    NodeName: 'switch-14',
    AlertID: '402',
    AlertMessage: 'Packet loss on switch-14',
    AlertDescription: 'More than 20% of packets are lost.',
    AlertDetailsUrl: 'https://orion.example.com/alert/402',
    AlertTriggerCount: '1',
    AlertTriggerTime: 'Tuesday, February 3, 2026 10:20 AM',
    Severity: 'Serious',
  },
  recovery: { ActionType: 'Resolve', AlertMessage: 'No packet loss on switch-14' },
  mapping: {
    fields: {
      // A reset may have a message of its own; the alert keeps that of the problem.
      title: {
        expression:
          'first(webhook.ActionType, "").lowerAscii() in ["resolve", "reset"] ? "" : first(webhook.AlertMessage, webhook.AlertName, webhook.AlertDescription)',
      },
      severity: {
        template: '{{webhook.Severity}}',
        values: {
          ...SEVERITIES,
          serious: 'error',
          0: 'info',
          1: 'warning',
          2: 'critical',
          3: 'error',
          4: 'info',
        },
        default: 'error',
      },
      description: { template: '{{webhook.AlertDescription|webhook.AlertMessage}}' },
      source: { template: 'SolarWinds' },
      service: { template: '{{webhook.NodeName|webhook.NodeCaption}}' },
      status: {
        template: '{{webhook.ActionType|webhook.AlertStatus|webhook.Status}}',
        values: { create: 'firing', acknowledge: 'update', note: 'update', reset: 'resolved' },
      },
      // Each activation of an alert has an id of its own, if the action sends it.
      occurrence: { template: '{{webhook.AlertActiveID}}' },
      // `AlertID` is the id of the rule. The alert on an object has an id of its own, if the action sends it.
      dedupKey: {
        expression: `first(${part('webhook.AlertObjectID')}, ${keyOf('webhook.AlertID', 'webhook.NodeName')})`,
      },
    },
    custom: {
      action: { template: '{{webhook.ActionType}}' },
      alert: { template: '{{webhook.AlertID}}' },
      link: { template: '{{webhook.AlertDetailsUrl}}' },
    },
  },
  expected: [
    {
      title: 'Packet loss on switch-14',
      severity: 'error',
      description: 'More than 20% of packets are lost.',
      source: 'SolarWinds',
      service: 'switch-14',
      status: 'firing',
      dedupKey: '402/switch-14',
    },
  ],
} satisfies CatalogueSource;
