import { hmac, preset, token } from './preset.js';

/** Monitoring, paging and infrastructure. */
export const MONITORING = [
  preset({
    name: 'pagerduty',
    title: 'PagerDuty',
    documentation: 'https://developer.pagerduty.com/docs/webhooks-overview',
    scheme: hmac({ header: 'x-pagerduty-signature', prefix: 'v1=', separator: ',' }),
    hasUniqueBodies: true,
    secret: {
      title: 'Signing secret',
      location: 'Shown once when you create the subscription under Integrations → Generic Webhooks (v3)',
    },
  }),
  preset({
    name: 'sentry',
    title: 'Sentry',
    documentation: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
    scheme: hmac({ header: 'sentry-hook-signature' }),
    secret: {
      title: 'Client secret',
      location: 'Settings → Custom Integrations → your integration → Credentials → Client Secret',
    },
  }),
  preset({
    name: 'grafana',
    title: 'Grafana',
    documentation:
      'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
    scheme: hmac({
      header: 'x-grafana-alerting-signature',
      // The documentation names the header above, and the source code uses this one if none is configured.
      otherHeader: 'x-grafana-alert-signature',
      signedContent: '{timestamp}:{body}',
    }),
    parameters: ['header', 'timestampHeader', 'toleranceSeconds'],
    secret: {
      title: 'HMAC secret',
      location:
        'Alerting → Contact points → your webhook → Optional Webhook settings → HMAC Signature → Secret. Enter the Timestamp Header there and here to reject old requests',
    },
  }),
  preset({
    name: 'splunk-observability',
    title: 'Splunk Observability Cloud (SignalFx)',
    documentation: 'https://dev.splunk.com/observability/docs/integrations/webhook_integration_overview',
    // Its documentation says SHA-256, and its older client library for Python says SHA-1.
    scheme: hmac({ header: 'x-sfx-signature', encoding: 'base64' }),
    parameters: ['hash'],
    secret: {
      title: 'Shared secret',
      location: 'Data Management → Webhook → your integration → Shared Secret',
    },
  }),
  preset({
    name: 'netbox',
    title: 'NetBox',
    documentation: 'https://netboxlabs.com/docs/netbox/integrations/webhooks/',
    scheme: hmac({ header: 'x-hook-signature', hash: 'sha512' }),
    secret: { title: 'Secret', location: 'Operations → Webhooks → your webhook → Secret' },
  }),
  preset({
    name: 'zendesk',
    title: 'Zendesk',
    documentation: 'https://developer.zendesk.com/documentation/webhooks/verifying/',
    scheme: hmac({
      header: 'x-zendesk-webhook-signature',
      encoding: 'base64',
      signedContent: '{timestamp}{body}',
      timestampHeader: 'x-zendesk-webhook-signature-timestamp',
      timestampUnit: 'iso8601',
    }),
    secret: {
      title: 'Signing secret',
      location: 'Admin Center → Apps and integrations → Webhooks → your webhook → Reveal secret',
    },
  }),
  preset({
    name: 'aws-sns',
    title: 'Amazon SNS',
    documentation: 'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
    scheme: { family: 'sns' },
    parameters: ['topicArn'],
    required: ['topicArn'],
    secret: null,
  }),
  preset({
    name: 'cloudflare',
    title: 'Cloudflare',
    documentation: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
    scheme: token('cf-webhook-auth'),
    secret: { title: 'Secret', location: 'Notifications → Destinations → Webhooks → your webhook → Secret' },
  }),
  preset({
    name: 'hetrixtools',
    title: 'HetrixTools',
    documentation: 'https://docs.hetrixtools.com/webhook-authentication-token/',
    scheme: token('authorization', 'Bearer '),
    secret: {
      title: 'Authentication token',
      location: 'Contact Lists → your list → Webhook → Authentication Token',
    },
  }),
];
