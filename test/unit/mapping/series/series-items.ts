import fc from 'fast-check';
import {
  ALERT_FIELDS,
  comparePositions,
  type Rank,
  type SeriesItem,
} from '../../../../workers/mapping/index.js';

const word = fc.constantFrom('a', 'b', 'c', null);
const rank = fc.constantFrom<Rank>(0, 1, 2);

/** Items that often share their time, their texts and their ranks. */
const item: fc.Arbitrary<SeriesItem> = fc
  .record({
    receivedAt: fc.integer({ min: 1, max: 6 }),
    id: fc.uuid(),
    status: fc.constantFrom('firing', 'firing', 'resolved'),
    revision: fc.integer({ min: 1, max: 3 }),
    values: fc.array(word, { minLength: ALERT_FIELDS.length, maxLength: ALERT_FIELDS.length }),
    ranks: fc.array(rank, { minLength: ALERT_FIELDS.length, maxLength: ALERT_FIELDS.length }),
    custom: fc.option(
      fc.dictionary(fc.constantFrom('zone', 'host'), fc.record({ value: word, rank }), { maxKeys: 2 }),
    ),
    errors: fc.array(
      fc.record({
        field: fc.constantFrom(null, 'severity', 'source', 'custom.zone', 'status'),
        code: fc.constantFrom('missing', 'too_deep'),
        message: fc.constantFrom('x', 'y'),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ custom, ...rest }) => ({
    ...rest,
    status: rest.status as SeriesItem['status'],
    eventCount: 1,
    custom: custom && new Map(Object.entries(custom)),
  }));

/** The items of one series, without duplicates, sorted by position. */
export const sortedItems: fc.Arbitrary<SeriesItem[]> = fc
  .uniqueArray(item, { selector: ({ id }) => id, maxLength: 14 })
  .map((items) => items.sort(comparePositions));
