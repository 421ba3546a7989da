import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const report = (monitor: string, before: number, lists: readonly string[]): JsonValue => ({
  monitor,
  label: `Mail ${monitor}`,
  blacklisted_before: String(before),
  blacklisted_now: String(lists.length),
  blacklisted_on: lists.length === 0 ? null : lists.map((rbl) => ({ rbl, delist: `https://${rbl}/delist` })),
  links: { report_link: 'https://hetrixtools.com/report/blacklist/1/' },
});

export default [
  {
    what: 'two addresses are listed in one report, and one of them is delisted step by step',
    shape:
      'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/hetrix_tools/v3_test.rb: blacklist_request',
    steps: [
      ['fired', [report('192.0.2.7', 0, ['a.example', 'b.example']), report('192.0.2.8', 0, ['a.example'])]],
      ['repeated', [report('192.0.2.7', 2, ['a.example'])]],
      ['resolved', [report('192.0.2.7', 1, [])]],
    ],
    alerts: [
      {
        title: '192.0.2.7 is blacklisted',
        severity: 'warning',
        description: 'Mail 192.0.2.7: on 1 blacklists, before on 2\na.example',
        source: 'HetrixTools',
        service: 'Mail 192.0.2.7',
        environment: null,
        status: 'resolved',
        eventCount: 3,
        resolution: 'Mail 192.0.2.7: on 0 blacklists, before on 1',
      },
      {
        title: '192.0.2.8 is blacklisted',
        severity: 'warning',
        description: 'Mail 192.0.2.8: on 1 blacklists, before on 0\na.example',
        source: 'HetrixTools',
        service: 'Mail 192.0.2.8',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a report of the documentation, of an address that is listed and one that is no longer',
    shape: 'https://docs.hetrixtools.com/webhooks-blacklist-monitor/',
    steps: [
      [
        'one listed, one delisted before it was known',
        [report('mail.example.com', 1, ['c.example']), report('192.0.2.9', 2, [])],
      ],
    ],
    alerts: [
      {
        title: 'mail.example.com is blacklisted',
        severity: 'warning',
        description: 'Mail mail.example.com: on 1 blacklists, before on 1\nc.example',
        source: 'HetrixTools',
        service: 'Mail mail.example.com',
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
