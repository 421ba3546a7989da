import type { CatalogueSource } from '../source.js';

export default {
  name: 'netbox',
  title: 'NetBox event rule',
  documentation: 'https://netboxlabs.com/docs/netbox/integrations/webhooks/',
  signature: { scheme: 'netbox', setup: 'Operations → Webhooks → your webhook → Secret' },
  sample: {
    event: 'deleted',
    timestamp: '2026-02-03T10:20:00.000000+00:00',
    model: 'device',
    username: 'kim',
    request_id: '00000000-5555-4666-8777-999999999999',
    data: {
      id: 12,
      url: '/api/dcim/devices/12/',
      display: 'leaf-12',
      name: 'leaf-12',
      status: { value: 'active', label: 'Active' },
      tenant: null,
      site: { id: 2, name: 'Hall 2' },
      tags: [],
    },
    snapshots: { prechange: { name: 'leaf-12' }, postchange: null },
  },
  mapping: {
    // A job that starts or ends well says nothing about a problem.
    filter:
      '!(first(webhook.event, "") in ["job_started", "job_completed"]) && !(first(webhook.event, "") == "job_ended" && first(webhook.data.status.value, "") == "completed")',
    fields: {
      // Jobs are `job_ended`, with their own status, or `job_failed` and `job_errored`.
      title: {
        expression:
          'webhook.model + " " + first(webhook.data.display, webhook.data.name, string(webhook.data.id)) + (webhook.event.startsWith("job_") ? " failed" : " was " + webhook.event.replace("object_", ""))',
      },
      // The event says what happened to an object, not how urgent that is.
      severity: {
        template: '{{webhook.event}}',
        values: {
          created: 'info',
          object_created: 'info',
          updated: 'info',
          object_updated: 'info',
          deleted: 'warning',
          object_deleted: 'warning',
          job_ended: 'error',
          job_failed: 'error',
          job_errored: 'error',
        },
        default: 'info',
      },
      description: {
        expression:
          'first(webhook.data.error, webhook.model + " " + first(webhook.data.display, webhook.data.name, string(webhook.data.id)) + (webhook.event.startsWith("job_") ? " failed" : " was " + webhook.event.replace("object_", "")) + (has(webhook.username) ? " by " + webhook.username : ""))',
      },
      source: { template: 'NetBox' },
      service: { template: '{{webhook.data.site.name|webhook.data.name}}' },
      // No dedupKey: a change of an object is not a problem that ends.
    },
    // It retries after a timeout, and its webhook has no delivery id.
    repeatWindowSeconds: 300,
    custom: {
      status: { template: '{{webhook.data.status.label}}' },
      link: { template: '{{webhook.data.url}}' },
    },
  },
  expected: [
    {
      title: 'device leaf-12 was deleted',
      severity: 'warning',
      description: 'device leaf-12 was deleted by kim',
      source: 'NetBox',
      service: 'Hall 2',
    },
  ],
} satisfies CatalogueSource;
