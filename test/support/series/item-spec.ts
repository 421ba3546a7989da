import fc from 'fast-check';
import { comparableOf, ranksOf } from '../../../workers/mapping/index.js';
import { repeatKey } from '../../../workers/mapping/series/repeat-key.js';
import type { ItemSpec } from './write-items.js';

/** Identical events without a key, which are counted for 3 ms after the first one. */
const REPEATED = repeatKey(0.003, 'content', 0);
const REPETITION = { status: 'firing', occurrence: null, final: false } as const;

const text = fc.constantFrom('a', 'b', null);
const digit = fc.constantFrom('0', '1', 'o', '2');
const digits = fc.oneof(
  fc.constantFrom('2222222', 'ooooooo', '22222222'),
  fc.array(digit, { minLength: 7, maxLength: 8 }).map((list) => list.join('')),
);
/** The rank and the text of a custom field: some have an error in place of a text. */
const custom = fc.record({ rank: fc.constantFrom(0, 1, 1.5, 2), text: fc.constantFrom('eu', 'us', null) });
/** An item with any fields, ranks and errors, of one of few series. */
export const itemSpec: fc.Arbitrary<ItemSpec> = fc
  .record({
    dedupKey: fc.constantFrom('disk', 'disk', 'cpu', 'CPU', REPEATED),
    status: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('firing' as const, 'firing' as const, 'resolved' as const) },
      { weight: 1, arbitrary: fc.constantFrom('reopened' as const, 'update' as const) },
    ),
    occurrence: fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom(null, comparableOf('1'), comparableOf('2'), comparableOf('3')),
      },
      { weight: 1, arbitrary: fc.constantFrom(null, comparableOf('2026-01-01T00:00:00Z')) },
    ),
    final: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    title: text,
    severity: text,
    ownRank: fc.constantFrom(null, null, 400, 399),
    team: text,
    ownerEmail: text,
    revision: fc.integer({ min: 1, max: 3 }),
    digits,
    zone: fc.option(custom),
    host: fc.option(custom),
    faults: fc.constantFrom(
      null,
      '[{"field":"severity","code":"missing","message":"m"}]',
      '[{"field":null,"code":"split_not_array","message":"n"},{"field":"team","code":"too_deep","message":"o"}]',
    ),
  })
  .map((drawn) => (drawn.dedupKey === REPEATED ? { ...drawn, ...REPETITION } : drawn))
  .map(({ digits: drawn, zone, host, ...item }) => {
    // An update only fills what is missing, or replaces what was kept.
    const digits =
      item.status === 'update'
        ? drawn.replaceAll(/[01]/g, '-').replaceAll('2', 'u').replaceAll('o', '2')
        : drawn;
    const named = Object.entries({ zone, host }).filter(([, field]) => field !== null);
    const texts = named
      .filter(([, field]) => field?.text != null)
      .map(([name, field]) => [name, field?.text]);
    const ranks = named
      .map(([name, field]) => `"${name}":${item.status === 'update' ? 0.5 : field?.rank}`)
      .join();
    return {
      ...item,
      ranks: ranksOf(digits, ranks).text,
      custom: texts.length > 0 ? JSON.stringify(Object.fromEntries(texts)) : null,
    };
  });
