import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const check = (
  event: string,
  url: string,
  date: number,
  status: number,
  text = 'Bad Gateway',
): JsonValue => ({
  event,
  check: { url, status, down: event === 'check.down', date, downtime: 1 },
  pings: event === 'check.down' ? [{ original: true, location: 'london', status, statusMessage: text }] : [],
});

const monitor = (id: string, event: string, date: number, status: number): JsonValue => ({
  event,
  check: { monitorUuid: id, url: BLOG, status, down: event === 'check.down', date, downtime: 2 },
});

const SHOP = 'https://shop.example.com/';
const BLOG = 'https://blog.example.com/';

export default [
  {
    what: 'a check is down and up again, is reported late, and is down once more',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/hyperping/v3_test.rb',
    steps: [
      ['fired', check('check.down', SHOP, 1772352000000, 502)],
      ['another problem', check('check.down', BLOG, 1772352001000, 500, 'Internal Server Error')],
      ['resolved', check('check.up', SHOP, 1772352600000, 200)],
      ['reported late', check('check.down', SHOP, 1772352000000, 502)],
      ['fired again', check('check.down', SHOP, 1772359000000, 503, 'Service Unavailable')],
    ],
    alerts: [
      {
        title: SHOP,
        severity: 'critical',
        source: 'Hyperping',
        service: SHOP,
        environment: null,
        status: 'resolved',
        eventCount: 2,
        description: `${SHOP} responded with 502\nlondon: Bad Gateway`,
        resolution: `${SHOP} responded with 200`,
      },
      {
        title: BLOG,
        severity: 'critical',
        description: `${BLOG} responded with 500\nlondon: Internal Server Error`,
        source: 'Hyperping',
        service: BLOG,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: SHOP,
        severity: 'critical',
        description: `${SHOP} responded with 503\nlondon: Service Unavailable`,
        source: 'Hyperping',
        service: SHOP,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'two monitors of one URL have ids, and the date of the end is not later',
    shape: 'https://hyperping.com/docs/integrations/webhooks (2026): check.monitorUuid',
    steps: [
      ['fired', monitor('mon_a', 'check.down', 1772352600000, 502)],
      ['another problem', monitor('mon_b', 'check.down', 1772352600000, 500)],
      ['resolved', monitor('mon_a', 'check.up', 1772352400000, 200)],
    ],
    alerts: [
      {
        title: BLOG,
        severity: 'critical',
        source: 'Hyperping',
        service: BLOG,
        environment: null,
        status: 'resolved',
        eventCount: 2,
        description: `${BLOG} responded with 502`,
        resolution: `${BLOG} responded with 200`,
      },
      {
        title: BLOG,
        severity: 'critical',
        description: `${BLOG} responded with 500`,
        source: 'Hyperping',
        service: BLOG,
        environment: null,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
] satisfies Story[];
