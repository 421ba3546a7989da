import { expect, test } from '@jest/globals';
import { foldItems, NO_ITEMS, normalize, shownAlert } from '../../../../workers/mapping/index.js';
import { toSeriesItem } from '../../../../workers/mapping/render/to-series-item.js';
import { compiled } from '../mapping.js';

/** Returns the title, severity and zone after each event of a key. */
function shownAfter(texts: 'newest' | 'opening' | undefined, events: readonly object[]) {
  const mapping = compiled({
    ...(texts ? { texts } : {}),
    fields: {
      title: { template: '{{webhook.title}}' },
      severity: { template: '{{webhook.severity}}', default: 'warning' },
      status: { template: '{{webhook.status}}', default: 'firing' },
      dedupKey: { template: 'k' },
    },
    custom: { zone: { template: '{{webhook.zone}}' } },
  });
  const items = events.map((event, index) => {
    const [alert] = normalize(mapping, JSON.stringify(event)).alerts;
    const id = `00000000-0000-7000-8000-00000000000${index}`;
    const status = alert?.series?.status ?? 'firing';
    return toSeriesItem(alert!, { receivedAt: index, id }, { status, revision: 1 });
  });
  return items.map((_, index) => {
    const [occurrence] = foldItems(NO_ITEMS, items.slice(0, index + 1)).occurrences.slice(-1);
    const { values, custom } = shownAlert(occurrence!);
    return [values[0], values[1], custom.zone ?? null];
  });
}

const EVENTS = [
  { title: 'Slow' },
  { title: 'Slower', severity: 'critical', zone: 'eu' },
  { status: 'update', title: 'Very slow', zone: 'us' },
  { title: 'Slowest', zone: 'asia' },
  { status: 'resolved', title: 'Fast', severity: 'info' },
];

test.each(['newest', undefined] as const)('with %s, the newest event has the texts', (texts) => {
  expect(shownAfter(texts, EVENTS)).toEqual([
    ['Slow', 'warning', null],
    ['Slower', 'critical', 'eu'],
    ['Slower', 'critical', 'eu'],
    ['Slowest', 'critical', 'asia'],
    ['Slowest', 'critical', 'asia'],
  ]);
});

test('with opening, the first event has the texts, until an update has others', () => {
  expect(shownAfter('opening', EVENTS)).toEqual([
    ['Slow', 'warning', null],
    ['Slow', 'warning', 'eu'],
    ['Very slow', 'warning', 'us'],
    ['Very slow', 'warning', 'us'],
    ['Very slow', 'warning', 'us'],
  ]);
});
