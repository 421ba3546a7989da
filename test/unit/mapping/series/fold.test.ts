import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ALERT_FIELDS,
  comparePositions,
  endOf,
  foldItems,
  isWithin,
  NO_ITEMS,
  type Occurrence,
  ranksOf,
  readRanks,
  resolvedRanks,
  type SeriesItem,
  type SeriesState,
  severityOf,
  shownAlert,
  stateOfErrors,
  withItem,
} from '../../../../workers/mapping/index.js';
import { cases } from '../../../support/effort.js';
import { alertsOf } from '../../../support/series/rules.js';
import { RUNS, sortedItems } from './series-items.js';

/** Returns what the definition makes of the items of a series. */
function byDefinition(items: readonly SeriesItem[]) {
  const ruled = items.map((item) => ({ ...item, run: RUNS.get(item.occurrence ?? '') ?? null }));
  const { alerts, outcomes } = alertsOf(ruled);
  return { runs: alerts.map(({ items: own }) => own), outcomes: ruled.map(({ id }) => outcomes.get(id)) };
}

/** Returns the text of a field by the definition: of the items with the highest rank, the newest one's, or the first one's if it is kept. */
function newestOfHighest(run: readonly SeriesItem[], field: number): string | null {
  const highest = Math.max(...run.map(({ ranks }) => ranks.own[field] as number));
  const items = run.filter(({ ranks }) => ranks.own[field] === highest);
  const item = items.at(highest === 1.5 ? 0 : -1) as SeriesItem;
  return item.values[field] as string | null;
}

/** Returns whether an alert has a text as its title or its description. */
const isShown = (run: readonly SeriesItem[], text: string | null): boolean =>
  (['title', 'description'] as const).some(
    (name) => newestOfHighest(run, ALERT_FIELDS.indexOf(name)) === text,
  );

const shown = (occurrence: Occurrence) => {
  const { values, custom, errors } = shownAlert(occurrence);
  return { values, custom, errors, state: stateOfErrors(errors) };
};
const occurrencesOf = (items: readonly SeriesItem[]) => foldItems(NO_ITEMS, items).occurrences;
const describe = (occurrence: Occurrence) => ({
  ...shown(occurrence),
  id: occurrence.id,
  receivedAt: occurrence.receivedAt,
  ...(endOf(occurrence) ?? { resolvedAt: null, resolvedBy: null, resolution: null }),
  peak: [severityOf(occurrence.peak), severityOf(occurrence.peak) && occurrence.peak.receivedAt],
  lastEventAt: occurrence.newestEvent.receivedAt,
  eventCount: occurrence.eventCount,
  previousAlertId: occurrence.previousAlertId,
});
const describeState = ({ newest, latest, lastAlertId, ended }: SeriesState) => ({
  newest,
  ended,
  lastAlertId,
  latest: latest && describe(latest),
});

test('a fold gives the alerts of the definition', () => {
  fc.assert(
    fc.property(sortedItems, (items) => {
      const { runs, outcomes } = byDefinition(items);
      const folded = foldItems(NO_ITEMS, items);
      expect(folded.outcomes.map(({ outcome }) => outcome)).toEqual(outcomes);
      expect(folded.occurrences.map(describe)).toMatchObject(
        runs.map((run, index) => {
          const [first, last] = [run[0], run.at(-1)] as [SeriesItem, SeriesItem];
          return {
            id: first.id,
            receivedAt: first.receivedAt,
            lastEventAt: (run.findLast(({ origin }) => origin === 'event') as SeriesItem).receivedAt,
            resolvedAt: last.status === 'resolved' ? last.receivedAt : null,
            resolvedBy: last.status === 'resolved' ? last.origin : null,
            resolution: last.status === 'resolved' && !isShown(run, last.resolution) ? last.resolution : null,
            eventCount: run.filter(({ origin }) => origin === 'event').length,
            previousAlertId: runs[index - 1]?.[0]?.id ?? null,
            values: ALERT_FIELDS.map((_, field) => newestOfHighest(run, field)),
          };
        }),
      );
    }),
    { numRuns: cases(400) },
  );
});

test('folding in steps gives the same as folding at once', () => {
  fc.assert(
    fc.property(sortedItems, fc.array(fc.nat(14)), (items, cuts) => {
      const whole = foldItems(NO_ITEMS, items);
      const ends = [...cuts, items.length].sort((one, other) => one - other);
      let state = NO_ITEMS;
      const [outcomes, occurrences] = [[] as object[], new Map<string, Occurrence>()];
      let start = 0;
      for (const end of ends) {
        const step = foldItems(state, items.slice(start, end));
        state = step.state;
        outcomes.push(...step.outcomes);
        for (const occurrence of step.occurrences) occurrences.set(occurrence.id, occurrence);
        start = Math.max(start, end);
      }
      expect(describeState(state)).toEqual(describeState(whole.state));
      expect(outcomes).toEqual(whole.outcomes);
      expect([...occurrences.values()].map(describe)).toEqual(whole.occurrences.map(describe));
    }),
  );
});

test('an item within an occurrence may be added late, in any order', () => {
  fc.assert(
    fc.property(sortedItems, fc.infiniteStream(fc.boolean()), (items, areLate) => {
      const [early, late] = [[] as SeriesItem[], [] as SeriesItem[]];
      for (const item of items) (areLate.next().value ? late : early).push(item);
      const [before, after] = [foldItems(NO_ITEMS, early).state.latest, occurrencesOf(items).at(-1)];
      fc.pre(before !== null && late.every((item) => isWithin(item, before)));
      const added = late.reverse().reduce(withItem, before as Occurrence);
      expect(describe(added)).toEqual(describe(after as Occurrence));
    }),
  );
});

const MINUTE = 60_000;
const BASE: SeriesItem = {
  receivedAt: 0,
  id: '00000000-0000-7000-8000-000000000001',
  status: 'firing',
  origin: 'event',
  silentSince: null,
  occurrence: null,
  final: false,
  revision: 1,
  eventCount: 1,
  values: ['Disk full', 'critical', 'Disk /var is full', 'db-1', 'orders', 'prod', 'storage', null],
  ranks: readRanks('2222222'),
  custom: {},
  errors: [],
  resolution: null,
};

test('a resolved item that carries only the key keeps the texts, and the alert stays complete', () => {
  const missing = { field: 'severity', code: 'missing', message: 'severity: missing' };
  const resolve: SeriesItem = {
    ...BASE,
    receivedAt: MINUTE,
    status: 'resolved',
    values: [null, 'info', null, null, null, null, null],
    ranks: resolvedRanks(readRanks('0100000')),
    errors: [missing],
  };
  const [alert] = occurrencesOf([BASE, resolve]);
  expect(describe(alert as Occurrence)).toMatchObject({
    values: BASE.values,
    state: 'complete',
    errors: [],
    resolvedAt: MINUTE,
    eventCount: 2,
  });
});

test('an error is shown as long as its text is', () => {
  const missing = { field: 'severity', code: 'missing', message: 'severity: missing' };
  const without = { ...BASE, ranks: readRanks('2022222'), errors: [missing] };
  const first = { ...without, receivedAt: -MINUTE };
  expect(shown(occurrencesOf([first])[0] as Occurrence).state).toBe('incomplete');
  expect(shownAlert(occurrencesOf([first, BASE])[0] as Occurrence).errors).toEqual([]);
});

test('an alert whose mapping changed again and again keeps a limited number of custom fields', () => {
  const items = Array.from({ length: 5 }, (_, revision) => {
    const names = Array.from(
      { length: 50 },
      (_, index) => `f${(index * 5 + revision).toString().padStart(3, '0')}`,
    );
    return {
      ...BASE,
      receivedAt: revision,
      custom: Object.fromEntries(names.map((name) => [name, name])),
      ranks: ranksOf('2222222', names.map((name) => `"${name}":2`).join()),
    };
  });
  const names = (sorted: readonly SeriesItem[]) =>
    Object.keys(shownAlert(occurrencesOf(sorted)[0] as Occurrence).custom);
  expect(names(items)).toEqual(
    Array.from({ length: 100 }, (_, index) => `f${index.toString().padStart(3, '0')}`),
  );
  const reversed = items.map((item, index) => ({ ...item, receivedAt: -index })).sort(comparePositions);
  expect(names(reversed)).toEqual(names(items));
});

test('the errors of an alert fit their column, however many items they come from', () => {
  const from = (field: string, digits: string, receivedAt: number): SeriesItem => ({
    receivedAt,
    id: `0199c0de-0000-7000-8000-00000000${receivedAt}001`,
    status: 'firing',
    origin: 'event',
    silentSince: null,
    occurrence: null,
    final: false,
    revision: 1,
    eventCount: 1,
    values: ALERT_FIELDS.map(() => 'x'),
    ranks: ranksOf(digits, ''),
    custom: {},
    errors: Array.from({ length: 20 }, () => ({ field, code: 'too_deep', message: 'é'.repeat(1_000) })),
    resolution: null,
  });
  const { occurrences } = foldItems(NO_ITEMS, [from('title', '2000000', 1), from('severity', '0200000', 2)]);
  const { errors } = shownAlert(occurrences[0] as Occurrence);
  expect(errors.length).toBeGreaterThan(20);
  expect(Buffer.byteLength(JSON.stringify(errors))).toBeLessThan(65_536);
});
