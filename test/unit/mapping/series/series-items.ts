import fc from 'fast-check';
import {
  ALERT_FIELDS,
  comparableOf,
  comparePositions,
  ranksOf,
  readRanks,
  resolvedRanks,
  type SeriesItem,
} from '../../../../workers/mapping/index.js';
import type { Run } from '../../../support/series/rules.js';

const word = fc.constantFrom('a', 'b', 'c', null);
/** A number of each of the lists below. The last is that of alerts that keep their first texts. */
const rank = fc.constantFrom(0, 1, 2, 3);
const own = fc.array(rank, { minLength: ALERT_FIELDS.length, maxLength: ALERT_FIELDS.length });
const customRanks = fc.dictionary(fc.constantFrom('zone', 'host'), rank, { maxKeys: 2 });
const DIGITS = ['0', '1', '2', 'o'];
const RANKS = [0, 1, 2, 1.5];
/** An update only fills what is missing, or replaces what was kept: it has other digits. */
const UPDATE_DIGITS = ['-', '-', 'u', '2'];
const UPDATE_RANKS = [-1, -1, 0.5, 2];

/** Those of an end that no event reports. */
const NO_RANKS = resolvedRanks(readRanks('0000000'));

/** The occurrences that items are about, by what is stored of them. */
export const RUNS: ReadonlyMap<string, Run> = new Map([
  ...[1, 2, 3].map((run): [string, Run] => [comparableOf(String(run)) as string, run]),
  ...['2026-03-01T08:00:00Z', '2026-03-01T09:30:00+01:00'].map((time): [string, Run] => [
    comparableOf(time) as string,
    new Date(time),
  ]),
]);
const [one, two, three, ...times] = [...RUNS.keys()];

function ranksFor(status: string, digits: readonly number[], named: Record<string, number>) {
  const [own, others] = status === 'update' ? [UPDATE_DIGITS, UPDATE_RANKS] : [DIGITS, RANKS];
  const custom = Object.entries(named).map(([name, rank]) => [name, others[rank]]);
  const ranks = ranksOf(
    digits.map((digit) => own[digit]).join(''),
    JSON.stringify(Object.fromEntries(custom)).slice(1, -1),
  );
  return status === 'resolved' ? resolvedRanks(ranks) : ranks;
}

const anyStatus: fc.Arbitrary<SeriesItem['status']> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('firing' as const, 'resolved' as const) },
  { weight: 1, arbitrary: fc.constantFrom('reopened' as const, 'update' as const) },
);

/** Items that often share their time, their texts and their ranks. */
const item = (status: typeof anyStatus): fc.Arbitrary<SeriesItem> =>
  fc
    .record({
      receivedAt: fc.integer({ min: 1, max: 6 }),
      id: fc.uuid(),
      status,
      origin: fc.constantFrom('event' as const, 'event' as const, 'person' as const, 'expiry' as const),
      occurrence: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(null, one as string, two as string, three as string) },
        { weight: 1, arbitrary: fc.constantFrom(...times) },
      ),
      final: fc.oneof(
        { weight: 3, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      revision: fc.integer({ min: 1, max: 3 }),
      eventCount: fc.constant(1),
      values: fc.array(word, { minLength: ALERT_FIELDS.length, maxLength: ALERT_FIELDS.length }),
      ownRank: fc.constantFrom(null, null, 400, 399),
      ranks: fc.tuple(own, customRanks),
      errors: fc.array(
        fc.record({
          field: fc.constantFrom(null, 'severity', 'source', 'status'),
          code: fc.constantFrom('missing', 'too_deep'),
          message: fc.constantFrom('x', 'y'),
        }),
        { maxLength: 2 },
      ),
    })
    .map(({ ranks: [digits, named], ...rest }) => ({
      ...rest,
      silentSince: null,
      resolution: rest.status === 'resolved' ? (rest.values[0] ?? rest.id) : null,
      ranks: ranksFor(rest.status, digits, named),
    }))
    .map((one): Omit<SeriesItem, 'custom'> => {
      if (one.status !== 'resolved') return { ...one, origin: 'event' };
      const { origin, receivedAt } = one;
      if (origin === 'event') return one;
      const silentSince = origin === 'expiry' ? receivedAt - 1 : null;
      return { ...one, silentSince, occurrence: null, final: false, eventCount: 0, ranks: NO_RANKS };
    })
    .chain((rest) =>
      fc
        .subarray(Object.keys(rest.ranks.custom ?? {}))
        .map((names) => ({ ...rest, custom: Object.fromEntries(names.map((name) => [name, rest.id])) })),
    );

/** The items of one series with such statuses, without duplicates, sorted by position. */
export const sortedItemsOf = (status: typeof anyStatus): fc.Arbitrary<SeriesItem[]> =>
  fc
    .uniqueArray(item(status), { selector: ({ id }) => id, maxLength: 14 })
    .map((items) => items.sort(comparePositions));

export const sortedItems = sortedItemsOf(anyStatus);
