import { keyOf } from '../keys.js';
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
      last_notice_at: '2026-02-03T10:20:00.000000Z',
      url: 'https://app.honeybadger.io/projects/12/faults/900100',
      tags: [],
    },
    notice: { id: 900100900, fault_id: 900100 },
  },
  otherSamples: [
    {
      event: 'check_in_missing',
      message: '[Shop] MISSING: Export has not checked in for 3 minutes',
      project: {
        id: 12,
        name: 'Shop',
        environments: [{ name: 'production' }],
        owner: { id: 3, name: 'Example' },
      },
      check_in: { id: 'wq00aa', name: 'Export', state: 'missing', missed_count: 1 },
    },
    {
      event: 'down',
      message: '[Shop] Front page is down.',
      project: {
        id: 12,
        name: 'Shop',
        environments: [{ name: 'production' }],
        owner: { id: 3, name: 'Example' },
      },
      site: { id: '0a0b', name: 'Front page', url: 'https://shop.example.com', state: 'down' },
      outage: { down_at: '2026-02-03T10:20:00.000000Z', up_at: null, status: 503, reason: 'Expected 2xx' },
    },
  ],
  recovery: {
    event: 'resolved',
    message: '[Shop/production] KeyError: no such voucher was resolved',
    fault: { resolved: true },
  },
  mapping: {
    // A deployment says nothing about a problem.
    filter: 'first(webhook.event, "") != "deployed"',
    fields: {
      // The error, alarm, check-in or site. The message of a certificate says what is wrong with it.
      title: {
        expression:
          'first(webhook.fault.klass, webhook.alarm.name, webhook.check_in.name, first(webhook.event, "") in ["down", "up"] ? webhook.site.name : "", webhook.message, webhook.fault.message, webhook.event)',
      },
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
          volume_spike: 'warning',
          alarm_alert: 'error',
          alarm_ok: 'info',
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
          'webhook.event in ["resolved", "up", "check_in_reporting", "alarm_ok"] ? "resolved" : webhook.event == "unresolved" ? "reopened" : webhook.event in ["commented", "assigned", "rate_exceeded"] ? "update" : "firing"',
      },
      // The newest error or the start of the outage, which the event of the end names too: an error may be reported after it.
      occurrence: { template: '{{webhook.fault.last_notice_at|webhook.outage.down_at}}' },
      // A fault, check-in, alarm or site. A certificate has no end.
      dedupKey: {
        expression: `has(webhook.fault) ? ${keyOf('"fault"', 'webhook.fault.id')} : has(webhook.check_in) ? ${keyOf('"check-in"', 'webhook.check_in.id')} : has(webhook.alarm) ? ${keyOf('"alarm"', 'first(webhook.alarm.id, webhook.alarm.url)')} : webhook.event in ["down", "up"] ? ${keyOf('"site"', 'webhook.site.id')} : ""`,
      },
    },
    custom: {
      fault: { template: '{{webhook.fault.id}}' },
      link: { template: '{{webhook.fault.url|webhook.alarm.url}}' },
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
      occurrence: '2026-02-03T10:20:00.000000Z',
      dedupKey: 'fault/900100',
    },
  ],
} satisfies CatalogueSource;
