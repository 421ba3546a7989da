import type { CatalogueSource } from '../source.js';

export default {
  name: 'honeybadger',
  title: 'Honeybadger',
  documentation: 'https://docs.honeybadger.io/api/webhooks/',
  sample: {
    event: 'occurred',
    message: '[Shop/production] KeyError: no such voucher',
    project: { id: 12, name: 'Shop', owner: { id: 3, name: 'Example' } },
    fault: {
      id: 900100,
      project_id: 12,
      klass: 'KeyError',
      component: 'vouchers',
      action: 'redeem',
      environment: 'production',
      resolved: false,
      message: 'no such voucher',
      notices_count: 4,
      url: 'https://app.honeybadger.io/projects/12/faults/900100',
      tags: [],
    },
    notice: { id: 900100900, fault_id: 900100 },
  },
  recovery: {
    event: 'resolved',
    message: '[Shop/production] KeyError: no such voucher was resolved',
    fault: { resolved: true },
  },
  mapping: {
    fields: {
      title: { template: '{{webhook.fault.klass|webhook.message|webhook.event|webhook.fault.message}}' },
      severity: {
        template: '{{webhook.event}}',
        values: {
          occurred: 'error',
          unresolved: 'error',
          resolved: 'info',
          down: 'critical',
          up: 'info',
          cert_will_expire: 'warning',
          check_in_missing: 'error',
          check_in_reporting: 'info',
          deployed: 'info',
        },
        default: 'error',
      },
      description: { template: '{{webhook.message|webhook.fault.message}}' },
      source: { template: 'Honeybadger' },
      service: { template: '{{webhook.project.name}}' },
      environment: { template: '{{webhook.fault.environment}}' },
      // A comment, an assignment or a higher rate is about a fault that is open, and makes it neither milder nor open again.
      status: {
        expression:
          'webhook.event in ["resolved", "up", "check_in_reporting"] ? "resolved" : webhook.event in ["commented", "assigned", "rate_exceeded"] ? "update" : "firing"',
      },
      // A fault, check-in or site. Deployments and certificates do not end.
      dedupKey: {
        expression:
          'has(webhook.fault) ? "fault/" + string(webhook.fault.id) : has(webhook.check_in) ? "check-in/" + webhook.check_in.id : webhook.event in ["down", "up"] ? "site/" + webhook.site.id : ""',
      },
    },
    custom: {
      fault: { template: '{{webhook.fault.id}}' },
      link: { template: '{{webhook.fault.url}}' },
    },
  },
  expected: [
    {
      title: 'KeyError',
      severity: 'error',
      description: '[Shop/production] KeyError: no such voucher',
      source: 'Honeybadger',
      service: 'Shop',
      environment: 'production',
      status: 'firing',
      dedupKey: 'fault/900100',
    },
  ],
} satisfies CatalogueSource;
