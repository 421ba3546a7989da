import type { CatalogueSource } from '../source.js';

export default {
  name: 'hetrixtools-blacklist',
  title: 'HetrixTools blacklist monitor',
  documentation: 'https://docs.hetrixtools.com/webhooks-blacklist-monitor/',
  signature: { scheme: 'hetrixtools', setup: 'Contact Lists → your list → Webhook → Authentication Token' },
  sample: [
    {
      monitor: '192.0.2.40',
      label: 'Mail relay',
      blacklisted_before: '0',
      blacklisted_now: '2',
      blacklisted_on: [{ rbl: 'bl.example.org', delist: 'https://bl.example.org/delist' }],
      links: { report_link: 'https://hetrixtools.com/report/blacklist/example/' },
    },
  ],
  recovery: [
    {
      monitor: '192.0.2.40',
      label: 'Mail relay',
      blacklisted_before: '2',
      blacklisted_now: '0',
      blacklisted_on: null,
      links: { report_link: 'https://hetrixtools.com/report/blacklist/example/' },
    },
  ],
  mapping: {
    split: 'webhook',
    fields: {
      title: { template: '{{item.monitor|item.label}} is blacklisted' },
      // The number of blacklists that list the host. Zero means that all is well.
      severity: {
        expression: 'string(item.blacklisted_now) == "0" ? "info" : "warning"',
        default: 'warning',
      },
      description: {
        expression:
          'first(item.label, item.monitor) + first(": on " + string(item.blacklisted_now) + " blacklists", "") + first(", before on " + string(item.blacklisted_before), "") + first(item.blacklisted_on.map(list, "\\n" + list.rbl).join(""), "")',
      },
      source: { template: 'HetrixTools' },
      service: { template: '{{item.label|item.monitor}}' },
      status: { expression: 'string(item.blacklisted_now) == "0" ? "resolved" : "firing"' },
      // The monitored address.
      dedupKey: { template: '{{item.monitor}}' },
    },
    custom: { link: { template: '{{item.links.report_link}}' } },
  },
  expected: [
    {
      title: '192.0.2.40 is blacklisted',
      severity: 'warning',
      description: 'Mail relay: on 2 blacklists, before on 0\nbl.example.org',
      source: 'HetrixTools',
      service: 'Mail relay',
      status: 'firing',
      dedupKey: '192.0.2.40',
    },
  ],
} satisfies CatalogueSource;
