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

const SHOP = 'https://shop.example.com/';
const BLOG = 'https://blog.example.com/';

export default [
  {
    what: 'a check is down and up again, is reported late, and is down once more',
    shape: 'https://hyperping.com/docs/integrations/webhooks',
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
        severity: 'info',
        description: `${SHOP} responded with 200`,
        source: 'Hyperping',
        service: SHOP,
        environment: null,
        status: 'resolved',
        eventCount: 2,
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
    what: 'a check recovers before it was known',
    shape: 'PagerTree/pager_tree-integrations test/models/pager_tree/integrations/hyperping/v3_test.rb',
    steps: [
      ['resolved', check('check.up', BLOG, 1772352600000, 200)],
      ['reported late', check('check.down', BLOG, 1772352000000, 502)],
    ],
    alerts: [],
  },
] satisfies Story[];
