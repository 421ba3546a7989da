import { SEVERITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** What a notification is about: a zone, a health check, a tunnel, a pool or the address that is attacked. */
const SUBJECT =
  'webhook.data.unreachable_zones[0].zone_name, webhook.data.health_check_name, webhook.data.tunnel_name, webhook.data.pool_name, webhook.data.zone_name, webhook.data.target_hostname, webhook.data.target_ip, webhook.data.config.name';

const IS_CERTIFICATE = 'first(webhook.alert_type, "").matches("certificate|ssl")';

export default {
  name: 'cloudflare',
  title: 'Cloudflare notification',
  documentation: 'https://developers.cloudflare.com/notifications/get-started/configure-webhooks/',
  signature: { scheme: 'cloudflare', setup: 'Notifications → Destinations → Webhooks → Secret' },
  sample: {
    name: 'Shop origin',
    text: 'The origin of shop.example.com has not responded for 5 minutes',
    data: { unreachable_zones: [{ zone_name: 'shop.example.com', host: 'origin-1' }] },
    ts: 1770113640,
    account_id: 'example-account',
    policy_id: 'example-policy',
    alert_type: 'real_origin_monitoring',
    alert_correlation_id: '000e1f2a3b4c4d5e8f90a1b2c3d4e5f6',
    alert_event: 'ALERT_STATE_EVENT_START',
  },
  recovery: {
    text: 'The origin of shop.example.com responds again',
    alert_event: 'ALERT_STATE_EVENT_END',
    ts: 1770114240,
  },
  mapping: {
    // A certificate was issued or deployed.
    filter: '!first(webhook.data.event_type, "").endsWith(".succeeded")',
    fields: {
      // The name is that of a policy, which covers several zones or checks.
      title: {
        expression: `first(webhook.name + first(" (" + first(${SUBJECT}) + ")", ""), webhook.text, webhook.alert_type)`,
      },
      severity: {
        expression: `first(webhook.data.severity, ${IS_CERTIFICATE} ? "warning" : "")`,
        values: SEVERITIES,
        default: 'error',
      },
      description: { template: '{{webhook.text|webhook.alert_type}}' },
      source: { template: 'Cloudflare' },
      service: { expression: `first(${SUBJECT})` },
      // Health checks and tunnels report their state. Saving the webhook sends a text.
      status: {
        expression:
          'first(webhook.text, "").startsWith("Hello World! This is a test message") ? "test" : first(webhook.data.new_health_status, webhook.data.new_health, webhook.data.new_status, extract(webhook.alert_event, "(START|END)$"), webhook.alert_event)',
        values: {
          START: 'firing',
          END: 'resolved',
          TUNNEL_STATUS_TYPE_HEALTHY: 'resolved',
          TUNNEL_STATUS_TYPE_DEGRADED: 'firing',
          TUNNEL_STATUS_TYPE_DOWN: 'firing',
        },
      },
      occurrence: { template: '{{webhook.ts}}' },
      // The health check, the tunnel, or the correlation id that the notifications of an incident share. Some types of
      // alert have none. A certificate that expires has no recovery.
      dedupKey: {
        expression: `${IS_CERTIFICATE} ? "" : first(webhook.data.health_check_id, webhook.data.tunnel_id, webhook.alert_correlation_id)`,
      },
    },
    custom: { type: { template: '{{webhook.alert_type}}' }, event: { template: '{{webhook.alert_event}}' } },
  },
  expected: [
    {
      title: 'Shop origin (shop.example.com)',
      severity: 'error',
      description: 'The origin of shop.example.com has not responded for 5 minutes',
      source: 'Cloudflare',
      service: 'shop.example.com',
      status: 'firing',
      dedupKey: '000e1f2a3b4c4d5e8f90a1b2c3d4e5f6',
      occurrence: '1770113640',
    },
  ],
} satisfies CatalogueSource;
