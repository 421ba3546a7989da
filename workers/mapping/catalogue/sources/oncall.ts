import type { CatalogueSource } from '../source.js';

/** A title without what differs between a problem and its end: `Shop is down`, `Shop is up`. */
const SUBJECT = 'extract(webhook.title, "^(.+) is (?:down|up)$")';

export default {
  name: 'oncall',
  title: 'Grafana OnCall (formatted webhook)',
  documentation: 'https://grafana.com/docs/oncall/latest/integrations/webhook/',
  options:
    'Use the URL of the integration at Grafana OnCall with the address of Muster, once its token is imported',
  dropInPath: '/integrations/v1/formatted_webhook/any/',
  sample: {
    alert_uid: '7c1f0a52-checkout',
    title: 'The checkout does not respond',
    image_url: 'https://graphs.example.com/checkout.png',
    state: 'alerting',
    link_to_upstream_details: 'https://monitor.example.com/checks/12',
    message: 'No response within 10 s',
  },
  // Uptime Kuma has a title and a message only, as many other programs.
  otherSamples: [
    // LibreNMS.
    {
      title: 'Device down',
      alert_uid: '12',
      state: 'alerting',
      raw_state: 2,
      severity: 'critical',
      message: 'm',
    },
  ],
  recovery: { state: 'ok', title: 'The checkout responds again', message: 'Responded within 1 s' },
  mapping: {
    fields: {
      title: { template: '{{webhook.title|webhook.message}}' },
      severity: {
        template: '{{webhook.severity}}',
        values: { critical: 'critical', error: 'error', warning: 'warning', info: 'info', ok: 'info' },
        default: 'error',
      },
      description: { template: '{{webhook.message|webhook.title}}' },
      source: { template: 'Grafana OnCall' },
      // LibreNMS repeats what a person has acknowledged with a 2.
      status: {
        expression:
          'string(first(webhook.raw_state, "")) == "2" ? "update" : first(webhook.state, "alerting")',
      },
      // OnCall groups what has no uid by nothing.
      dedupKey: { expression: `first(webhook.alert_uid, ${SUBJECT}, webhook.title)` },
    },
    custom: {
      link: { template: '{{webhook.link_to_upstream_details}}' },
      image: { template: '{{webhook.image_url}}' },
    },
  },
  expected: [
    {
      title: 'The checkout does not respond',
      severity: 'error',
      description: 'No response within 10 s',
      source: 'Grafana OnCall',
      status: 'firing',
      dedupKey: '7c1f0a52-checkout',
    },
  ],
} satisfies CatalogueSource;
