import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const notification = (
  alert_type: string,
  text: string,
  data: JsonValue,
  more: Record<string, JsonValue>,
): JsonValue => ({
  account_id: '0a0a',
  alert_type,
  data,
  name: 'Shop',
  policy_id: '0b0b',
  policy_name: 'Shop',
  text,
  ts: 1772352000,
  ...more,
});

const attack = (zone_name: string, id: string, event: string, ts: number): JsonValue =>
  notification(
    'advanced_ddos_attack_l7_alert',
    `An attack on ${zone_name} is mitigated`,
    { action: 'block', attack_id: id, max_rate: '90 kreq/s', zone_name, target_hostname: `www.${zone_name}` },
    { alert_correlation_id: id, alert_event: `ALERT_STATE_EVENT_${event}`, ts },
  );

const tunnel = (status: string, ts: number): JsonValue =>
  notification(
    'tunnel_health_event',
    `The tunnel office is ${status}`,
    { tunnel_id: 't-1', tunnel_name: 'office', new_status: `TUNNEL_STATUS_TYPE_${status}` },
    { ts },
  );

export default [
  {
    what: 'two zones are attacked, and one attack ends',
    shape: 'https://developers.cloudflare.com/notifications/reference/webhook-payload-schema/',
    steps: [
      ['started', attack('example.com', 'c-1', 'START', 1772352000)],
      ['another zone', attack('example.org', 'c-2', 'START', 1772352060)],
      ['ended', attack('example.com', 'c-1', 'END', 1772352600)],
      ['started, late', attack('example.com', 'c-1', 'START', 1772352000)],
    ],
    alerts: [
      {
        title: 'Shop (example.com)',
        severity: 'error',
        description: 'An attack on example.com is mitigated',
        source: 'Cloudflare',
        service: 'example.com',
        environment: null,
        status: 'resolved',
        eventCount: 2,
      },
      {
        title: 'Shop (example.org)',
        severity: 'error',
        description: 'An attack on example.org is mitigated',
        source: 'Cloudflare',
        service: 'example.org',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a tunnel goes down and comes back, without a correlation id',
    shape: 'superplanehq/superplane pkg/integrations/cloudflare, the tunnel health event',
    steps: [
      ['degraded', tunnel('DEGRADED', 1772352000)],
      ['down', tunnel('DOWN', 1772352060)],
      ['healthy', tunnel('HEALTHY', 1772352600)],
    ],
    alerts: [
      {
        title: 'Shop (office)',
        severity: 'error',
        description: 'The tunnel office is DOWN',
        source: 'Cloudflare',
        service: 'office',
        environment: null,
        status: 'resolved',
        eventCount: 3,
        resolution: 'The tunnel office is HEALTHY',
      },
    ],
  },
  {
    what: 'the message that tests a webhook, and certificates that were issued or expire',
    shape: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
    steps: [
      [
        'test',
        {
          text: 'Hello World! This is a test message sent from https://cloudflare.com. If you can see this, your webhook is configured properly.',
        },
      ],
      [
        'issued',
        notification(
          'universal_ssl_event_type',
          'A certificate was issued',
          { event_type: 'ssl.certificate.issuance.succeeded', zone_name: 'example.com' },
          { alert_correlation_id: 'c-3', alert_event: 'ALERT_STATE_EVENT_START' },
        ),
      ],
      [
        'expires',
        notification(
          'access_custom_certificate_expiration_type',
          'The certificate of vpn.example.com expires in 14 days',
          { days_til_expiration: 14, hostnames: 'vpn.example.com', zone_name: 'example.com' },
          { alert_correlation_id: 'c-4', alert_event: 'ALERT_STATE_EVENT_START' },
        ),
      ],
    ],
    alerts: [
      {
        title:
          'Hello World! This is a test message sent from https://cloudflare.com. If you can see this, your webhook is configured properly.',
        severity: 'error',
        description:
          'Hello World! This is a test message sent from https://cloudflare.com. If you can see this, your webhook is configured properly.',
        source: 'Cloudflare',
        service: null,
        environment: null,
        status: null,
        eventCount: 1,
      },
      {
        title: 'Shop (example.com)',
        severity: 'warning',
        description: 'The certificate of vpn.example.com expires in 14 days',
        source: 'Cloudflare',
        service: 'example.com',
        environment: null,
        status: null,
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
