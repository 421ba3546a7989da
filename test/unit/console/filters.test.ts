import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { matching } from '../../../api/console/parts/filters/filter-options.js';
import { deleteView, savedViews, saveView } from '../../../api/console/parts/filters/saved-views.js';
import { describeRange, toPeriod } from '../../../api/console/parts/filters/time-range.js';

const NONE = { last: [], from: [], to: [] };
const NOW = Date.parse('2026-03-01T10:22:00Z');

describe('a time range', () => {
  test('that ends now starts at a step, so that it stays the same for a while', () => {
    const from = (last: string, now: number) => toPeriod({ ...NONE, last: [last] }, now).from[0];
    expect(from('1h', NOW)).toBe('2026-03-01T09:20:00.000Z');
    expect(from('1h', NOW + 2 * 60_000)).toBe('2026-03-01T09:20:00.000Z');
    expect(from('1h', NOW + 3 * 60_000)).toBe('2026-03-01T09:25:00.000Z');
    expect(from('24h', NOW)).toBe('2026-02-28T10:00:00.000Z');
  });

  test('of two times is what it is, also with an unknown name', () => {
    const range = { last: ['1y'], from: ['2026-01-01T00:00:00.000Z'], to: [] };
    expect(toPeriod(range, NOW)).toEqual({ from: range.from, to: [] });
    expect(describeRange(range)).toMatch(/^Since /);
    expect(describeRange({ ...NONE, last: ['7d'] })).toBe('Last 7 days');
    expect(describeRange(NONE)).toBe('Any time');
    expect(describeRange(range, 'UTC')).toMatch(/^Since .*(12|00):00.* UTC$/);
  });
});

describe('the options of a filter', () => {
  const options = [
    { value: 'Payments', count: 3 },
    { value: 'id-1', label: 'Cluster west' },
  ];

  test('are found in any case, by their labels, those that are set first', () => {
    expect(matching(options, ['gone'], '', true)).toEqual({
      shown: [{ value: 'gone' }, ...options],
      typed: null,
    });
    expect(matching(options, [], ' WEST', true).shown).toEqual([options[1]]);
    expect(matching(options, ['id-1'], '', true).shown[0]).toEqual(options[1]);
  });

  test('include what is typed, unless it is an option', () => {
    expect(matching(options, [], 'pay', true).typed).toBe('pay');
    expect(matching(options, [], 'payments', true).typed).toBeNull();
    expect(matching(options, [], 'pay', false).typed).toBeNull();
  });
});

describe('saved views', () => {
  const storage = new Map<string, string>();
  let isFull = false;
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (isFull) throw new Error('QuotaExceededError');
        storage.set(key, value);
      },
    },
  });
  beforeEach(() => {
    storage.clear();
    isFull = false;
  });
  afterAll(() => {
    if (before) Object.defineProperty(globalThis, 'localStorage', before);
    else Reflect.deleteProperty(globalThis, 'localStorage');
  });

  test('are kept by list, replaced by name, and deleted', () => {
    saveView('alerts', { name: 'Mine', query: 'team=a' });
    saveView('alerts', { name: 'Other', query: 'team=b' });
    saveView('events', { name: 'Mine', query: 'state=failed' });
    saveView('alerts', { name: 'Mine', query: 'team=c' });
    expect(savedViews('alerts')).toEqual([
      { name: 'Mine', query: 'team=c' },
      { name: 'Other', query: 'team=b' },
    ]);
    deleteView('alerts', 'Mine');
    expect(savedViews('alerts').map(({ name }) => name)).toEqual(['Other']);
    expect(savedViews('events')).toHaveLength(1);
  });

  test('are not said to be saved if the browser does not store them', () => {
    expect(saveView('alerts', { name: 'Mine', query: 'team=a' })).toBe(true);
    isFull = true;
    expect(saveView('alerts', { name: 'Other', query: 'team=b' })).toBe(false);
    expect(deleteView('alerts', 'Mine')).toBe(false);
    expect(savedViews('alerts').map(({ name }) => name)).toEqual(['Mine']);
  });

  test.each(['', '[', 'null', '7', '{"alerts":3}', '{"alerts":[null,{"name":1,"query":""}]}'])(
    'are none if what is stored is invalid: %j',
    (text) => {
      storage.set('muster.views', text);
      expect(savedViews('alerts')).toEqual([]);
      saveView('alerts', { name: 'New', query: '' });
      expect(savedViews('alerts')).toHaveLength(1);
    },
  );
});
