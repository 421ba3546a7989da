import fc from 'fast-check';
import {
  ALERT_FIELDS,
  comparePositions,
  ranksOf,
  type SeriesItem,
} from '../../../../workers/mapping/index.js';

const word = fc.constantFrom('a', 'b', 'c', null);
const rank = fc.constantFrom(0, 1, 2);
const own = fc.array(rank, { minLength: ALERT_FIELDS.length, maxLength: ALERT_FIELDS.length });
const customRanks = fc.dictionary(fc.constantFrom('zone', 'host'), rank, { maxKeys: 2 });

/** Items that often share their time, their texts and their ranks. */
const item: fc.Arbitrary<SeriesItem> = fc
  .record({
    receivedAt: fc.integer({ min: 1, max: 6 }),
    id: fc.uuid(),
    status: fc.constantFrom('firing' as const, 'firing' as const, 'resolved' as const),
    occurrence: fc.constant(null),
    final: fc.constant(false),
    revision: fc.integer({ min: 1, max: 3 }),
    eventCount: fc.constant(1),
    values: fc.array(word, { minLength: ALERT_FIELDS.length, maxLength: ALERT_FIELDS.length }),
    ranks: fc
      .tuple(own, customRanks)
      .map(([digits, named]) => ranksOf(digits.join(''), JSON.stringify(named).slice(1, -1))),
    errors: fc.array(
      fc.record({
        field: fc.constantFrom(null, 'severity', 'source', 'status'),
        code: fc.constantFrom('missing', 'too_deep'),
        message: fc.constantFrom('x', 'y'),
      }),
      { maxLength: 2 },
    ),
  })
  .chain((rest) =>
    fc
      .subarray(Object.keys(rest.ranks.custom ?? {}))
      .map((names) => ({ ...rest, custom: Object.fromEntries(names.map((name) => [name, rest.id])) })),
  );

/** The items of one series, without duplicates, sorted by position. */
export const sortedItems: fc.Arbitrary<SeriesItem[]> = fc
  .uniqueArray(item, { selector: ({ id }) => id, maxLength: 14 })
  .map((items) => items.sort(comparePositions));
