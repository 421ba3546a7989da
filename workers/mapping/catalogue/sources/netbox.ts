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
    fields: {
      title: { template: '{{webhook.model}} {{webhook.data.display}} was {{webhook.event}}' },
      // The event says what happened to an object, not how urgent that is.
      severity: {
        template: '{{webhook.event}}',
        values: { created: 'info', updated: 'info', deleted: 'warning' },
        default: 'info',
      },
      description: {
        template:
          '{{webhook.model}} {{webhook.data.display|webhook.data.name|webhook.data.id}} was {{webhook.event}}{{#webhook.username}} by {{.}}{{/webhook.username}}',
      },
      source: { template: 'NetBox' },
      service: { template: '{{webhook.data.site.name|webhook.data.name}}' },
      // No dedupKey: a change of an object is not a problem that ends.
    },
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
