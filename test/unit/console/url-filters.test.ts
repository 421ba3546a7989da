import { describe, expect, test } from '@jest/globals';
import {
  countSet,
  fromLocalInput,
  readFilters,
  toLocalInput,
  withFilters,
} from '../../../api/console/parts/filters/url-filters.js';

const NAMES = ['state', 'search'] as const;

describe('filters in the address', () => {
  test('are read by name; unknown parameters are kept', () => {
    const parameters = new URLSearchParams('state=failed&other=1&state=rejected&state=');
    expect(readFilters(parameters, NAMES)).toEqual({ state: ['failed', 'rejected'], search: [] });
    expect(withFilters(parameters, { search: ['cpu & disk'], state: ['a', 'b', 'a'] }).toString()).toBe(
      'other=1&search=cpu+%26+disk&state=a&state=b',
    );
  });

  test('are removed when empty, and trimmed', () => {
    const parameters = new URLSearchParams('state=failed&search=x');
    expect(withFilters(parameters, { state: [], search: ['  y ', ' '] }).toString()).toBe('search=y');
    expect(parameters.toString()).toBe('state=failed&search=x');
  });

  test('are counted if set', () => {
    expect(countSet({ state: ['failed'], search: [], team: ['x', 'y'] })).toBe(2);
  });

  test('store a time in UTC and show it in local time, to the minute', () => {
    const local = toLocalInput('2026-03-01T10:20:00.000Z');
    expect(local).toMatch(/^2026-0[23]-\d\dT\d\d:\d\d$/);
    expect(fromLocalInput(local)).toBe('2026-03-01T10:20:00.000Z');
  });

  test('show and read a time in UTC if that is chosen', () => {
    expect(toLocalInput('2026-03-01T10:20:30.000Z', 'UTC')).toBe('2026-03-01T10:20');
    expect(fromLocalInput('2026-03-01T10:20', 'UTC')).toBe('2026-03-01T10:20:00.000Z');
  });

  test.each(['', 'yesterday', '2026-99-99'])('ignore an invalid time: %j', (text) => {
    for (const zone of [undefined, 'UTC'] as const) {
      expect(toLocalInput(text, zone)).toBe('');
      expect(fromLocalInput(text, zone)).toBe('');
    }
  });
});
