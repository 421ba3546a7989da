import { keyOf, part } from '../keys.js';
import { UP_OR_DOWN } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** Values of `alertType`, for payloads without its name. */
const TYPES = { 1: 'critical', 2: 'info', 3: 'warning' };

export default {
  name: 'uptimerobot',
  title: 'UptimeRobot',
  documentation: 'https://help.uptimerobot.com/en/articles/11360876-how-to-set-up-webhook-alerts',
  sample: {
    monitorID: '770011',
    monitorURL: 'https://api.example.com/health',
    monitorFriendlyName: 'API health',
    alertType: '1',
    alertTypeFriendlyName: 'Down',
    alertDetails: 'Connection Timeout',
    alertDateTime: '1770113640',
    alertID: '550022',
  },
  otherSamples: [
    {
      monitor_id: '770011',
      monitor_url: 'https://api.example.com/health',
      monitor_friendly_name: 'API health',
      alert_type: '1',
      alert_type_friendly_name: 'Down',
      alert_details: 'Connection Timeout',
      alert_friendly_duration: '4 minutes',
    },
  ],
  recovery: {
    alertType: '2',
    alertTypeFriendlyName: 'Up',
    alertDetails: 'HTTP 200 - OK',
    alertDateTime: '1770114240',
    alertID: '550023',
  },
  mapping: {
    // A monitor that somebody starts makes no alert.
    filter:
      'first(webhook.alertTypeFriendlyName, webhook.alert_type_friendly_name, "").lowerAscii() != "started"',
    fields: {
      title: {
        expression:
          'first(webhook.monitorFriendlyName, webhook.monitor_friendly_name, webhook.monitorURL, webhook.monitor_url) + first({"ssl expiry": ": the certificate expires soon", "domain expiry": ": the domain expires soon"}[first(webhook.alertTypeFriendlyName, webhook.alert_type_friendly_name).lowerAscii()], " is down")',
      },
      severity: {
        template:
          '{{webhook.alertTypeFriendlyName|webhook.alert_type_friendly_name|webhook.alertType|webhook.alert_type}}',
        values: {
          ...UP_OR_DOWN,
          ...TYPES,
          'SSL expiry': 'warning',
          'Domain expiry': 'warning',
          paused: 'info',
        },
        default: 'error',
      },
      description: {
        template:
          '{{webhook.alertDetails|webhook.alert_details|webhook.alertTypeFriendlyName|webhook.alert_type_friendly_name}}',
      },
      source: { template: 'UptimeRobot' },
      service: { template: '{{webhook.monitorFriendlyName|webhook.monitor_friendly_name}}' },
      // Nobody watches a paused monitor.
      status: {
        template:
          '{{webhook.alertTypeFriendlyName|webhook.alert_type_friendly_name|webhook.alertType|webhook.alert_type}}',
        values: {
          1: 'firing',
          2: 'resolved',
          'SSL expiry': 'firing',
          'Domain expiry': 'firing',
          paused: 'resolved',
        },
      },
      // The time of the change, in seconds.
      occurrence: { template: '{{webhook.alertDateTime|webhook.alert_date_time}}' },
      // The monitor. Notices about a certificate or domain are different problems and have no recovery. Some own payloads
      // leave out the id.
      // It leaves a variable that it does not know, such as `*monitorID*`.
      dedupKey: {
        expression: `first(webhook.alertTypeFriendlyName, webhook.alert_type_friendly_name, "").lowerAscii() in ["", "down", "up", "paused"] && !string(first(webhook.monitorID, webhook.monitor_id, webhook.monitorURL, webhook.monitor_url, "")).startsWith("*") ? first(${part('webhook.monitorID')}, ${part('webhook.monitor_id')}, ${keyOf('first(webhook.monitorFriendlyName, webhook.monitor_friendly_name)', 'first(webhook.monitorURL, webhook.monitor_url)')}) : ""`,
      },
    },
    custom: { link: { template: '{{webhook.monitorURL|webhook.monitor_url}}' } },
  },
  expected: [
    {
      title: 'API health is down',
      severity: 'critical',
      description: 'Connection Timeout',
      source: 'UptimeRobot',
      service: 'API health',
      status: 'firing',
      dedupKey: '770011',
      occurrence: '1770113640',
    },
  ],
} satisfies CatalogueSource;
