import type { CatalogueSource } from '../source.js';

export default {
  name: 'checkly',
  title: 'Checkly',
  documentation: 'https://www.checklyhq.com/docs/integrations/webhooks/',
  sample: {
    event: 'Log in has failed',
    alert_type: 'ALERT_FAILURE',
    check_name: 'Log in',
    group_name: 'Accounts',
    check_id: '00000000-2222-4333-8444-666666666666',
    check_type: 'BROWSER',
    check_error_message: 'Timed out waiting for the password field',
    response_time: '30012',
    run_location: 'Frankfurt',
    started_at: '2026-02-03T10:20:00.000Z',
    tags: 'accounts',
    link: 'https://app.checklyhq.com/checks/0000',
    region: '',
  },
  recovery: {
    event: 'Log in has recovered',
    alert_type: 'ALERT_RECOVERY',
    check_error_message: '',
    started_at: '2026-02-03T10:40:00.000Z',
  },
  mapping: {
    // A check that passes, as before.
    filter: 'first(webhook.alert_type, "") != "NO_ALERT"',
    fields: {
      title: {
        expression:
          'first(webhook.alert_type == "ALERT_SSL" ? "The certificate of " + first(webhook.ssl_check_domain, webhook.check_name) + " expires" : webhook.check_name, webhook.check_error_message, webhook.event)',
      },
      severity: {
        template: '{{webhook.alert_type}}',
        values: {
          ALERT_FAILURE: 'critical',
          ALERT_FAIL: 'critical',
          ALERT_FAILURE_REMAIN: 'critical',
          ALERT_FAILURE_DEGRADED: 'error',
          ALERT_DEGRADED: 'warning',
          ALERT_DEGRADED_REMAIN: 'warning',
          ALERT_DEGRADED_FAILURE: 'critical',
          ALERT_DEGRADED_RECOVERY: 'info',
          ALERT_RECOVERY: 'info',
          ALERT_SSL: 'warning',
        },
        default: 'error',
      },
      description: {
        expression:
          'first(webhook.alert_type == "ALERT_SSL" ? "It expires in " + string(webhook.ssl_days_remaining) + " days" : webhook.check_error_message, webhook.event, webhook.check_name)',
      },
      source: { template: 'Checkly' },
      service: { template: '{{webhook.group_name|webhook.check_name}}' },
      environment: { template: '{{webhook.tags.environment|webhook.tags.env}}' },
      status: {
        template: '{{webhook.alert_type}}',
        values: {
          ALERT_FAILURE: 'firing',
          // The word of older channels.
          ALERT_FAIL: 'firing',
          ALERT_FAILURE_REMAIN: 'firing',
          ALERT_FAILURE_DEGRADED: 'firing',
          ALERT_DEGRADED: 'firing',
          ALERT_DEGRADED_REMAIN: 'firing',
          ALERT_DEGRADED_FAILURE: 'firing',
          ALERT_DEGRADED_RECOVERY: 'resolved',
          ALERT_RECOVERY: 'resolved',
          ALERT_SSL: 'firing',
        },
      },
      // When the check ran.
      occurrence: { template: '{{webhook.started_at}}' },
      // The check. A certificate that expires is a different problem of the same check and has no recovery.
      dedupKey: { expression: 'webhook.alert_type == "ALERT_SSL" ? "" : webhook.check_id' },
    },
    custom: {
      location: { template: '{{webhook.run_location}}' },
      link: { template: '{{webhook.link}}' },
    },
  },
  expected: [
    {
      title: 'Log in',
      severity: 'critical',
      description: 'Timed out waiting for the password field',
      source: 'Checkly',
      service: 'Accounts',
      status: 'firing',
      dedupKey: '00000000-2222-4333-8444-666666666666',
      occurrence: '2026-02-03T10:20:00.000Z',
    },
  ],
} satisfies CatalogueSource;
