import { test } from '@jest/globals';
import { normalize } from '../../../workers/mapping/index.js';
import { expectQuick } from '../../support/cpu-time.js';
import { bytes, compiled } from './mapping.js';

const FIELDS = { description: { template: '{{webhook.long}}' } };
const long = 'x'.repeat(900_000);
const list = Array.from({ length: 100_000 }, (_, number) => number);

const CASES: [string, object, object][] = [
  [
    'nested loops over a long list',
    { filter: 'webhook.l.all(a, webhook.l.all(b, a + b >= 0.0))' },
    { l: list },
  ],
  ['a pattern over a long text', { filter: '!webhook.long.matches("(x+x+)+y")' }, { long }],
  [
    '1,000 items that each search a long list',
    { split: 'items', filter: 'webhook.l.exists(a, a == item.id)' },
    { items: list.slice(0, 1_000).map((id) => ({ id: -id - 1 })), l: list },
  ],
  [
    '1,000 items that each miss a path of 1,000 keys',
    { split: 'items', filter: 'item.kye == 1' },
    {
      items: list
        .slice(0, 1_000)
        .map(() => Object.fromEntries(list.slice(0, 100).map((n) => [`key${n}`, n]))),
    },
  ],
  [
    'a false clause that is explained after many others',
    {
      filter: `${Array.from({ length: 40 }, (_, n) => `webhook.l.exists(a, a == ${n}.0)`).join(' && ')} && false`,
    },
    { l: list },
  ],
];

test.each(CASES)('a filter holds the event loop for little time: %s', (_name, mapping, payload) => {
  const ready = compiled({ ...mapping, fields: FIELDS });
  const raw = bytes(payload);
  expectQuick(() => JSON.stringify(normalize(ready, raw)), 300);
});
