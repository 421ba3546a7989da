import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type DatedObservation, previewSeries, statusOfWord } from '../../../workers/mapping/index.js';
import { compiled, run } from './mapping.js';

const page = readFileSync('docs/mapping.md', 'utf8');
const section = page.slice(
  page.indexOf('## How do I deduplicate and resolve?'),
  page.indexOf('## When is a field missing?'),
);
const mapping = JSON.parse(section.match(/```json\n([\s\S]+?)```/)?.[1] as string);

/** The rows of the table: payload, key, status, outcome. */
const examples = [...section.matchAll(/^\| `(\{.+\})` \| `?(.+?)`? \| (.+) \| (.+) \|$/gm)].map(
  ([, payload = '', key, status, outcome], number) => ({
    payload: JSON.parse(payload),
    key,
    status,
    outcome,
    number,
  }),
);

test('the events of docs/mapping.md become what the page says', () => {
  expect(examples.length).toBeGreaterThan(5);
  const observations = examples.map(
    ({ payload, number }): DatedObservation => ({
      eventId: String(number),
      receivedAt: null,
      normalized: run(mapping, payload),
    }),
  );
  const series = previewSeries(compiled(mapping), observations.toReversed())?.series ?? [];
  const items = series.flatMap(({ dedupKey, items }) => items.map((item) => ({ ...item, key: dedupKey })));
  for (const { number, key, status, outcome } of examples) {
    const item = items.find(({ eventId }) => eventId === String(number));
    expect([
      number,
      item?.key ?? 'none',
      item?.status ?? 'firing',
      item?.outcome ?? 'an alert of its own',
    ]).toEqual([number, key, status, outcome]);
  }
});

test.each([
  ['Firing', 'firing'],
  ['Resolved', 'resolved'],
])('the words that docs/mapping.md lists as %s are known', (start, status) => {
  const list = section.match(new RegExp(`^- ${start} are: ([\\s\\S]+?)\\.$`, 'm'))?.[1] ?? '';
  const words = [...list.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string);
  expect(words.length).toBeGreaterThan(30);
  expect(words.filter((word) => statusOfWord(word) !== status)).toEqual([]);
});
